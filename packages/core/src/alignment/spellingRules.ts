/**
 * How English letters sound: LETTERS / BEFORE / AFTER / PHONES. BEFORE and AFTER are patterns for the letters around; V stands for a vowel
 * letter and C for a consonant. Of the rules for a letter the first that fits is taken. Two words in three come out as in a dictionary,
 * the others nearly so, which is enough to find a word in its sound.
 */
export const SPELLING_RULES = `
tion /  /  / SH AH N
sion / V /  / ZH AH N
sion /  /  / SH AH N
cious /  /  / SH AH S
tious /  /  / SH AH S
cial /  /  / SH AH L
tial /  /  / SH AH L
cian /  /  / SH AH N
cient /  /  / SH AH N T
ture /  /  / CH ER
sure / V /  / ZH ER
ough /  / t / AO
ough /  /  / OW
augh /  / t / AO
eigh /  /  / EY
igh /  /  / AY
tch /  /  / CH
sch /  /  / S K
dge /  /  / JH
ous /  / $ / AH S
ously /  / $ / AH S L IY
able /  / $ / AH B AH L
ible /  / $ / AH B AH L
ably /  / $ / AH B L IY
age / . / $ / IH JH
ages / . / $ / IH JH IH Z
ate / VC+ / $ / EY T
ed / [td] / $ / IH D
ed / [pkfsxc]|sh|ch / $ / T
ed / ^[^aeiouy]*V.* / $ / D
es / s|x|z|ch|sh|c|g / $ / IH Z
es / ^[^aeiouy]*V.*[^aeiou] / $ / Z
's / [ptkf] / $ / S
's /  / $ / Z
n't /  / $ / AH N T
'll /  / $ / AH L
're /  / $ / ER
've /  / $ / V
'd /  / $ / D
'm /  / $ / M
't /  / $ / T
' /  /  /
ing / ^[^aeiouy]*V.* / $ / IH NG
ings / ^[^aeiouy]*V.* / $ / IH NG Z
le / C / $ / AH L
les / C / $ / AH L Z
ism /  / $ / IH Z AH M
ful /  / $ / F AH L
er / .. / $ / ER
ers / .. / $ / ER Z
or / ^[^aeiouy]*V.* / $ / ER
ory /  / $ / AO R IY
ary /  / $ / EH R IY
ch /  / [rl] / K
ch /  /  / CH
sh /  /  / SH
ph /  /  / F
th /  / er$|e$ / DH
th /  /  / TH
wh /  / o / HH
wh /  /  / W
gh / ^ /  / G
gh /  /  /
kn / ^ /  / N
wr / ^ /  / R
ps / ^ /  / S
mb /  / $ / M
ng /  / $|s$ / NG
nk /  /  / NG K
ck /  /  / K
qu /  /  / K W
sc /  / [eiy] / S
cc /  / [eiy] / K S
x / ^ /  / Z
ex / ^ / [aeiou] / IH G Z
x /  /  / K S
c /  / [eiy] / S
ge /  / $ / JH
g /  / [eiy] / JH
air /  /  / EH R
are /  / $|s$|d$ / EH R
ear /  / [ntl] / ER
ear /  /  / IH R
eer /  /  / IH R
ere /  / $ / IH R
ire /  /  / AY ER
ore /  /  / AO R
oor /  /  / AO R
oar /  /  / AO R
our /  /  / AO R
ure /  / $ / Y UH R
ar / w /  / AO R
arr /  /  / EH R
ar /  /  / AA R
err /  /  / EH R
er /  / V / EH R
er /  /  / ER
irr /  /  / IH R
ir /  /  / ER
or / w /  / ER
or /  /  / AO R
urr /  /  / ER
ur /  / V / Y UH R
ur /  /  / ER
all /  /  / AO L
alk /  /  / AO K
au /  /  / AO
aw /  /  / AO
ai /  /  / EY
ay /  /  / EY
ea /  / d|th|lth / EH
ea /  /  / IY
ee /  /  / IY
eau /  /  / OW
ei / c /  / IY
ei /  /  / EY
ey /  / $ / IY
eu /  /  / UW
ew /  /  / UW
ie / ^..? / $|s$|d$ / AY
ie /  /  / IY
oa /  /  / OW
oi /  /  / OY
oy /  /  / OY
oo /  / k|d$ / UH
oo /  /  / UW
ou /  / ld / UH
ou /  /  / AW
ow /  / $|n$|s$ / OW
ow /  /  / AW
ue /  / $|s$ / UW
ui /  /  / UW
ia /  /  / IY AH
io /  /  / IY OW
iu /  /  / IY AH
old /  /  / OW L D
ind /  / $|s$ / AY N D
ild /  / $ / AY L D
a /  / Ce$|Ces$|Ced$|Cing|Cer$|Cion / EY
a /  / $ / AH
a / ^ / [^aeiou][aeiou]|b|c|d|l|g|p|r|s / AH
a / w /  / AA
a / ^[^aeiouy]*V.* / [ln]$|[ln]ce$|[n]t|[l] / AH
a /  /  / AE
e /  / Ce$ / IY
e / ^[^aeiouy]*V.* / $ /
e / ^.?. / $ / IY
e / ^[bdr] / C / IH
e / ^[^aeiouy]*V.* / [nl] / AH
e / ^[^aeiouy]*V.* / ly|ment|ful|less /
e /  /  / EH
i /  / Ce$|Ces$|Ced$|Cing|Cer / AY
i /  / $ / IY
i / ^ / $ / AY
i /  /  / IH
o /  / Ce$|Ces$|Ced$|Cing / OW
o /  / $ / OW
on / ^[^aeiouy]*V.* / $|s$ / AH N
o /  / [nv]|ther|m / AA
o /  / ss|st$ / AO
o /  /  / AA
u /  / Ce$|Ces$|Ced$|Cing|Cion|Cent / UW
u / g / V /
u /  / $ / UW
u / p / [lst] / UH
u /  /  / AH
y / ^ /  / Y
y / ^..?.? / $ / AY
y /  / $ / IY
y /  /  / IH
b /  / t$ /
b /  /  / B
c /  /  / K
d /  /  / D
f /  /  / F
g /  /  / G
h / ^ /  / HH
h / V / [^aeiou]|$ /
h /  /  / HH
j /  /  / JH
k /  /  / K
l /  /  / L
m /  /  / M
n /  /  / N
p /  /  / P
q /  /  / K
r /  /  / R
s / V / e$|es$|ed$|ing / Z
s / V|[bdgvmnlrw] / $ / Z
s /  /  / S
t / s / le$|en /
t /  /  / T
v /  /  / V
w /  /  / W
z /  /  / Z
`
