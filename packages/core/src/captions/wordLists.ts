/** What the words of a language say about good places to break a line. All in lower case. */
export interface WordLists {
  /** A line had better begin with these. */
  readonly conjunctions: ReadonlySet<string>
  readonly prepositions: ReadonlySet<string>
  /** These lean on the word after them: no line should end with one. */
  readonly leaning: ReadonlySet<string>
  /** Their full stop ends no sentence. */
  readonly abbreviations: ReadonlySet<string>
  /** Their full stop ends no sentence when a number follows. */
  readonly beforeNumbers: ReadonlySet<string>
}

const list = (...texts: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.split(" ")).filter((word) => word !== ""))

const none = list()

const ENGLISH_PREPOSITIONS =
  "of in on at to for with by from into onto over under about between through during without within against across around like per via toward towards among upon beyond beside behind near"

const english: WordLists = {
  conjunctions: list(
    "and but or nor so yet because although though while when whenever where wherever if unless until since",
    "whereas that which who whom whose after before as than once",
  ),
  prepositions: list(ENGLISH_PREPOSITIONS),
  leaning: list(
    ENGLISH_PREPOSITIONS,
    "a an the my your his her its our their this that these those some any each every no another such both",
    "as than i you he she it we they who which what and or but nor if because while although though unless",
    "is are was were be been being am do does did has have had will would can could shall should may might must not",
    "i'm you're he's she's it's we're they're that's there's who's what's i've you've we've they've",
    "i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll it'll we'll they'll",
    "isn't aren't wasn't weren't don't doesn't didn't hasn't haven't hadn't won't wouldn't can't cannot couldn't",
    "shouldn't mustn't gonna wanna gotta very more most so too really quite rather mr mrs ms dr prof st",
  ),
  abbreviations: list("mr mrs ms dr prof st vs e.g i.e jr sr gen sen rep rev hon mt approx dept est"),
  beforeNumbers: list("no nos vol pp p fig ch sec art"),
}

const GERMAN_PREPOSITIONS =
  "in im ins an am ans auf aus bei beim bis durch für gegen hinter mit nach neben ohne seit trotz über um unter von vom vor während wegen zu zum zur zwischen gegenüber laut statt"

const german: WordLists = {
  conjunctions: list(
    "und oder aber denn sondern weil dass daß ob wenn als wie während obwohl damit bevor nachdem falls sobald solange",
    "sodass indem seitdem sowie doch",
  ),
  prepositions: list(GERMAN_PREPOSITIONS),
  leaning: list(
    GERMAN_PREPOSITIONS,
    "der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen meinem",
    "meiner dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem euer eure",
    "dieser diese dieses diesen diesem jeder jede jedes jeden jedem welche welcher welches manche solche",
    "ich du er sie es wir man und oder aber denn weil dass daß ob wenn als wie damit obwohl",
    "nicht sehr so zu herr frau dr prof",
  ),
  abbreviations: list(
    "z.b d.h u.a o.ä z.t i.d.r v.a s.o s.u dr prof hr fr st bzw ca evtl ggf inkl vgl sog abs mio mrd z d h u",
  ),
  beforeNumbers: list("nr bd kap abb s ziff"),
}

const FRENCH_PREPOSITIONS =
  "à au aux de du des en dans par pour sur sous avec sans chez vers entre contre depuis pendant avant après derrière devant dès jusque jusqu'à malgré parmi selon hors"

const french: WordLists = {
  conjunctions: list(
    "et ou mais donc or ni car que qui dont où quand lorsque puisque parce comme si quoique afin tandis pourquoi alors",
    "lorsqu'il lorsqu'on qu'il qu'elle qu'on qu'ils s'il",
  ),
  prepositions: list(FRENCH_PREPOSITIONS),
  leaning: list(
    FRENCH_PREPOSITIONS,
    "le la les un une mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces quel quelle",
    "quels quelles chaque quelques plusieurs aucun aucune tout toute tous toutes",
    "je tu il elle on nous vous ils elles ne se me te y c'est j'ai et ou mais donc ni car que qui dont où si comme parce",
    "est suis es sommes êtes sont était étaient ai as a avons avez ont avait avaient sera seront a-t-il très plus moins trop si",
    "m mme mlle dr",
  ),
  abbreviations: list("m mm mme mmes mlle dr pr st ste p.ex p ex env cf c.-à-d av"),
  beforeNumbers: list("n no vol art chap fig"),
}

const SPANISH_PREPOSITIONS =
  "a al ante bajo con contra de del desde durante en entre hacia hasta mediante para por según sin sobre tras"

const spanish: WordLists = {
  conjunctions: list(
    "y e o u ni pero sino que porque aunque cuando mientras si como donde pues quien quienes cual cuales cuyo",
  ),
  prepositions: list(SPANISH_PREPOSITIONS),
  leaning: list(
    SPANISH_PREPOSITIONS,
    "el la los las lo un una unos unas mi mis tu tus su sus nuestro nuestra nuestros nuestras este esta estos estas",
    "ese esa esos esas aquel aquella cada todo toda todos todas algún alguna ningún ninguna otro otra",
    "yo tú él ella usted nosotros ellos ellas ustedes me te se le les nos y e o u ni pero sino que porque aunque si",
    "es son era eran fue ser soy eres somos está están estaba he ha han hemos había habían puede pueden debe no muy más tan",
    "sr sra dr dra don doña",
  ),
  abbreviations: list("sr sra sres srta dr dra d ud uds vd vds p.ej ee uu ee.uu prof gral pág"),
  beforeNumbers: list("n núm no vol art cap fig pág"),
}

const ITALIAN_PREPOSITIONS =
  "di a da in con su per tra fra del dello della dei degli delle al allo alla ai agli alle dal dallo dalla dai dagli dalle nel nello nella nei negli nelle sul sullo sulla sui sugli sulle senza sotto sopra verso contro durante dopo prima"

const italian: WordLists = {
  conjunctions: list(
    "e ed o oppure ma però che perché poiché quando mentre se come dove né anche quindi sebbene benché affinché chi cui",
  ),
  prepositions: list(ITALIAN_PREPOSITIONS),
  leaning: list(
    ITALIAN_PREPOSITIONS,
    "il lo la i gli le un uno una mio mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra loro",
    "questo questa questi queste quel quello quella quei quegli quelle ogni qualche nessun nessuna",
    "io tu lui lei noi voi mi ti si ci vi ne e ed o ma che perché se né cui",
    "è sono sei siamo siete era erano ho hai ha abbiamo avete hanno aveva avevano può deve non molto più così",
    "sig sig.ra dott prof",
  ),
  abbreviations: list("sig sig.ra sigg dott dott.ssa prof ing avv on p.es es ecc"),
  beforeNumbers: list("n nr vol art cap fig pag"),
}

const PORTUGUESE_PREPOSITIONS =
  "a ao aos à às ante até com contra de do da dos das desde durante em no na nos nas num numa entre para pra pro perante por pelo pela pelos pelas sem sob sobre trás após"

const portuguese: WordLists = {
  conjunctions: list(
    "e ou mas nem que porque embora quando enquanto se como onde pois porém quem cujo cuja contudo então",
  ),
  prepositions: list(PORTUGUESE_PREPOSITIONS),
  leaning: list(
    PORTUGUESE_PREPOSITIONS,
    "o os as um uma uns umas meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos nossas",
    "este esta estes estas esse essa esses essas aquele aquela isto cada todo toda todos todas algum alguma nenhum nenhuma",
    "eu tu ele ela você nós eles elas vocês me te se lhe lhes e ou mas nem que porque embora",
    "é são era eram foi ser sou está estão estava tem têm tinha há havia pode podem deve não muito mais tão",
    "sr sra dr dra",
  ),
  abbreviations: list("sr sra srs srta dr dra prof profa d v.exa p.ex av"),
  beforeNumbers: list("n nº no vol art cap fig pág"),
}

const DUTCH_PREPOSITIONS =
  "aan achter beneden bij binnen boven buiten door in langs met na naar naast om onder op over per rond sinds te tegen ten ter tijdens tot tussen uit van vanaf via volgens voor zonder"

const dutch: WordLists = {
  conjunctions: list(
    "en of maar want dus dat die omdat doordat hoewel als wanneer terwijl toen zodat voordat nadat totdat tenzij indien waar wie",
  ),
  prepositions: list(DUTCH_PREPOSITIONS),
  leaning: list(
    DUTCH_PREPOSITIONS,
    "de het een 'n 't mijn m'n jouw je uw zijn z'n haar ons onze hun deze dit dat die elk elke ieder iedere geen welke",
    "ik jij u hij zij ze wij we jullie men en of maar want dus omdat als hoewel terwijl",
    "is ben bent was waren heb hebt heeft had hadden word wordt werd zal zullen zou zouden kan kunnen kon moet moeten mag",
    "niet heel zeer erg zo te dhr mevr dr",
  ),
  abbreviations: list("dhr mevr mw dr drs ir ing mr prof bijv o.a d.w.z m.a.w enz ca evt incl nl st"),
  beforeNumbers: list("nr blz art hfdst fig"),
}

const lists: ReadonlyMap<string, WordLists> = new Map(
  Object.entries({
    en: english,
    de: german,
    fr: french,
    es: spanish,
    it: italian,
    pt: portuguese,
    nl: dutch,
  }),
)

const unknown: WordLists = {
  conjunctions: none,
  prepositions: none,
  leaning: none,
  abbreviations: none,
  beforeNumbers: none,
}

/** The lists of a bare language code; empty ones for a language without. */
export const wordListsOf = (language: string | null): WordLists => lists.get(language ?? "") ?? unknown
