/** Frequent English words that their letters do not tell, and how they sound: WORD PHONES; WORD PHONES. */
export const LEXICON = `
a AH; an AE N; the DH AH; of AH V; to T UW; and AE N D; in IH N; is IH Z; was W AH Z; were W ER;
he HH IY; she SH IY; we W IY; me M IY; be B IY; they DH EY; you Y UW; your Y AO R; i AY; it IH T;
its IH T S; his HH IH Z; her HH ER; my M AY; by B AY; do D UW; does D AH Z; who HH UW; what W AH T;
are AA R; have HH AE V; has HH AE Z; had HH AE D; one W AH N; two T UW; three TH R IY; four F AO R;
five F AY V; six S IH K S; seven S EH V AH N; eight EY T; nine N AY N; ten T EH N; eleven IH L EH V AH N;
twelve T W EH L V; thirteen TH ER T IY N; fifteen F IH F T IY N; twenty T W EH N T IY; thirty TH ER D IY;
forty F AO R T IY; fifty F IH F T IY; hundred HH AH N D R AH D; thousand TH AW Z AH N D;
million M IH L Y AH N; said S EH D; says S EH Z; there DH EH R; their DH EH R; where W EH R;
this DH IH S; that DH AE T; these DH IY Z; those DH OW Z; them DH EH M; then DH EH N; than DH AE N;
with W IH DH; for F AO R; from F R AH M; or AO R; on AA N; at AE T; as AE Z; so S OW; no N OW; go G OW;
not N AA T; some S AH M; come K AH M; could K UH D; would W UH D; should SH UH D; people P IY P AH L;
any EH N IY; many M EH N IY; been B IH N; done D AH N; gone G AO N; give G IH V; live L IH V;
love L AH V; other AH DH ER; mother M AH DH ER; very V EH R IY; because B IH K AO Z; mr M IH S T ER;
mrs M IH S IH Z; dr D AA K T ER; don't D OW N T; won't W OW N T; i'm AY M; only OW N L IY; know N OW;
now N AW; how HH AW; our AW ER; hour AW ER; again AH G EH N; year Y IH R; years Y IH R Z; work W ER K;
world W ER L D; word W ER D; great G R EY T; eye AY; woman W UH M AH N; women W IH M AH N;
enough IH N AH F; through TH R UW; though DH OW; thought TH AO T; laugh L AE F; friend F R EH N D;
heart HH AA R T; minute M IH N AH T; business B IH Z N AH S; school S K UW L; door D AO R;
water W AO T ER; put P UH T; too T UW; into IH N T UW; also AO L S OW
`

/** How the letters of an abbreviation are said. */
export const LETTER_NAMES = `
a EY; b B IY; c S IY; d D IY; e IY; f EH F; g JH IY; h EY CH; i AY; j JH EY; k K EY; l EH L; m EH M;
n EH N; o OW; p P IY; q K Y UW; r AA R; s EH S; t T IY; u Y UW; v V IY; w D AH B AH L Y UW; x EH K S;
y W AY; z Z IY
`
