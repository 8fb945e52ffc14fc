/**
 * The words that make up most of what people say, most telling first, for the languages that share an alphabet with
 * another one. Written for this project. They tell languages apart and they are the stop words of topics and summaries.
 */
const latin = {
  en: `the and of to a in is you that it for was on are with as they be this have from or what we there had by not but
    some your can were all when use how said an each which she do their if will about then would these so like him has
    more her could no than been who its now people my did get just know think because well really going yeah right thing
    things something want time very much where why here good make our also into over after other two first way work year
    don't it's that's we're i'm`,
  es: `de la que el en y los se del las un por con no una su para es al lo como más pero sus le ya o este sí porque
    esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros
    ese eso ante ellos e esto mí antes algunos qué unos yo otro otras él tanto esa estos mucho nada muchos cual poco ella
    estar algo nosotros tiene está son fue era hace bueno entonces así hoy gente años cosa trabajo ciudad hemos vamos ahora`,
  pt: `de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou
    ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas
    me esse eles estão você tinha foram essa num nem suas meu às minha têm numa pelos elas havia seja qual será nós
    tenho lhe deles essas esses então gente coisa anos fazer trabalho cidade hoje vamos agora bem aqui ainda são`,
  fr: `de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont la avec son
    aux d'un cette d'une ou être ont ses mais comme on tout nous sa même ces elle vous je n'est c'est y aussi leur bien
    peut été fait très si sans entre deux où donc quand alors moi toujours parce ça avait faire dire était encore après
    temps monde jour ville travail années chose gens beaucoup aujourd'hui maintenant j'ai qu'il d'accord voilà quelque`,
  it: `di e il la che in a per un è del non si una da i con le sono della al ha come più ma nel lo alla dei o anche
    se gli io su dal ci mi questo era suo delle nella cosa questa essere perché quando molto quello dove solo tutto poi
    prima ancora dopo sempre già così ho hanno abbiamo fatto stato fare chi noi lui lei loro mio tempo anni oggi città
    lavoro gente quindi allora adesso bene cose senza degli dalla sulla c'è dell'anno un'altra qui quasi tutti`,
  ro: `de și în a la cu pe nu o că din se un pentru să este care mai au al ce sau am ca fi sunt dar după fost lui cum
    ei era ar prin doar iar acest această când noi foarte unde tot fără până între despre cel cea lor mult bine așa
    atunci acum asta ești suntem avem aveți trebuie poate oameni ani timp zi oraș lucru lucruri muncă astăzi mâine ieri
    bună pot face spune vrea ale unei unui cât toate toți dacă eu tu el ea chiar vreau știu`,
  ca: `de la i el que a en els les un una per amb no és del al es com més però seu seva o ja aquest aquesta perquè
    entre quan molt sense sobre també fins hi on qui des tot ens van va ha han són era fa avui ara llavors així gent anys
    cosa feina ciutat hem anem bé jo tu ell ella nosaltres vosaltres meu meva dels als pels pel què dir fer això allò
    aquí allà encara després abans mateix tots totes res mai sempre potser nou any dia temps l'any d'una d'un`,
  de: `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat
    dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr
    durch man sein wurde sei wir ich du ihr uns mich dich ja nein mal dann wenn weil was wer wo schon immer sehr gut
    jetzt heute hier dort kann können muss müssen machen gemacht gibt viele leute jahre zeit stadt arbeit ganz also`,
  nl: `de van het een en in is dat op te zijn met voor niet aan er om die als ook dan maar bij of uit nog worden door
    naar heeft tot ze wel over hij zo deze hebben wordt kan meer we was wij ik je jij u hun haar mijn ons onze dit daar
    hier waar wat wie hoe waarom omdat want toch heel veel goed gaan gaat maken doen mensen jaar tijd stad werk vandaag
    morgen gisteren nu altijd nooit al geen moet moeten kunnen zou zouden echt natuurlijk eigenlijk ding dingen`,
  sv: `och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när man
    år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då
    sedan över bara in blir upp även vad få två vill ha många hon ni du mig dig oss dem detta dessa denna något någon
    inget aldrig alltid idag igår imorgon människor tid stad arbete bra tycker göra gör säga varför eftersom`,
  da: `og i at det er en til på af som den med for de der ikke har et var jeg kan vi han om men fra så man sig også
    blev hvor efter være ved nu eller bliver over da havde mod meget når op skal ud vil alle ind under hun sin kun mere
    end hans to kunne dem hvad have noget os mig dig jer dette denne disse nogen ingen aldrig altid dag går morgen
    mennesker tid byen arbejde godt synes gøre gør sige hvorfor fordi selv deres gang år lige bare blive noget uden`,
  no: `og i det er på som en å til at av for med har de ikke den om et var jeg kan vi han men fra så man seg også ble
    hvor etter være ved nå eller blir over da hadde mot mye når opp skal ut vil alle inn under hun sin bare mer enn hans
    to kunne dem hva ha noe oss meg deg dere dette denne disse noen ingen aldri alltid dag går morgen mennesker tid byen
    arbeid bra synes gjøre gjør si hvorfor fordi selv deres gang år veldig ganske litt mange blitt uten`,
  fi: `ja on ei että se oli hän mutta ovat kun niin myös tai jos kuin joka ole mitä tämä minä sinä me te he ne olen
    olet olemme olette nyt vain vielä sitten jo hyvin paljon kaikki mikä missä milloin miksi koska siitä siinä sen
    hänen minun meidän teidän heidän tässä tämän ennen jälkeen kanssa voi pitää täytyy haluan tehdä tehty sanoa asia
    asioita ihmiset ihmisiä vuosi vuotta aika aikaa kaupunki kaupungissa työ työtä tänään eilen huomenna hyvä uusi
    kuitenkin ollut olla eivät emme mukaan sekä joskus aina`,
  et: `ja on ei et see oli ta aga kui ka või mis kes siis ma sa me te nad nüüd ainult veel juba väga palju kõik kus
    millal miks sest selle sellest minu meie teie nende siin seal enne pärast koos saab peab tahan teha öelda asi asju
    inimesed inimesi aasta aastat aeg aega linn linnas töö tööd täna eile homme hea uus olen oled oleme olete olid
    olnud olla pole mitte nagu oma kuidas üks kaks välja üle alati kunagi natuke`,
  hu: `a az és hogy nem is egy ez meg de van volt csak ha már mint még el ki fel le be azt ezt vagy mert amely ami aki
    akkor most itt ott nagyon sok minden mindig soha után előtt alatt között nélkül kell lehet lesz lenne voltak vannak
    én te ő mi ti ők nekem neki engem minket magyar ember emberek év évek idő nap város városban munka ma tegnap holnap
    jó új hol mikor miért hogyan mit kit szerint által tudom tudja akarok csinál mond azért tehát ezért amikor`,
  pl: `i w nie na się z że do to jest o jak ale po co tak za od przez jego jej ich dla są był była było były być już
    tylko czy tym tego ten ta te ja ty on ona my wy oni mnie mi nas nam mam ma mamy może bardzo kiedy gdzie dlaczego
    ponieważ bo więc jeszcze teraz zawsze nigdy dzisiaj wczoraj jutro ludzie ludzi rok lata lat czas miasto mieście
    praca pracy dobrze dobry nowy robić zrobić powiedzieć wszystko wszyscy także również przed bez między pod nad sobie`,
  cs: `a v se na je že to s z do o i ve si ale jako za by jsem jsme jste jsou byl byla bylo byli být po tak co jak už
    jen když nebo pro od který která které tento tato toto ten ta já ty on ona my vy oni mě mi nás nám mám má máme může
    velmi kde proč protože tedy ještě teď vždy nikdy dnes včera zítra lidé lidi rok roky let čas město městě práce
    práci dobře dobrý nový dělat udělat říct všechno všichni také před bez mezi pod nad není ano něco toho při`,
  sk: `a v sa na je že to s z do o aj vo si ale ako za by som sme ste sú bol bola bolo boli byť po tak čo už len
    keď alebo pre od ktorý ktorá ktoré tento táto toto ten tá ja ty on ona my vy oni mňa mi nás nám mám má máme môže
    veľmi kde prečo pretože teda ešte teraz vždy nikdy dnes včera zajtra ľudia ľudí rok roky rokov čas mesto meste práca
    práce dobre dobrý nový robiť urobiť povedať všetko všetci tiež pred bez medzi pod nad nie áno niečo toho pri`,
  hr: `i u je se na da su za od s a o do ne što to kao koji koja koje ili iz ali bi sam smo ste bio bila bilo bili
    biti nije nisu kako ako već samo kad kada gdje zašto jer zato još sada uvijek nikad danas jučer sutra ljudi ljude
    godina godine godinu vrijeme grad gradu posao rad dobro dobar novi raditi napraviti reći sve svi također prije
    poslije bez između pod nad ja ti on ona mi vi oni mene nas nam imam ima imamo može mogu vrlo jako onda ovaj ova ovo`,
  tr: `bir ve bu da de için ile çok ne gibi daha o var ama en kadar sonra olarak mı mi her ben sen biz siz onlar beni
    seni bizi bana sana bize şey şeyi zaman yok değil ya ki olan olduğu oldu olur olacak diye önce şimdi bugün dün
    yarın insan insanlar insanların yıl yıllar gün şehir şehirde iş işi iyi yeni nasıl neden nerede kim hangi çünkü
    ancak veya hem hiç bütün bazı aynı kendi bence tamam evet hayır yapmak yaptı söyledi istiyorum biliyorum arasında`,
  id: `yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih
    kata tahun sudah atau saat oleh menjadi orang ia telah adalah seperti sebagai bahwa dapat para harus namun kita dua
    satu masih hari hanya mengatakan kepada kami setelah melakukan lalu belum lain dia kalau terjadi banyak menurut
    anda hingga tak baru beberapa ketika saja jalan sekitar secara dilakukan sementara tapi sangat hal sehingga
    seorang bagi besar lagi selama antara waktu sebuah jika sampai kota kerja sekarang apa bagaimana mengapa kamu`,
  vi: `và của là có trong được không cho một các người với những để khi đã này đó về từ ra thì mà vào ở cũng như đến
    nhiều hơn lại sẽ bị tôi bạn anh chị em chúng ta họ nó rất năm ngày làm việc nói biết phải sau trước trên dưới nên
    còn hay hoặc nhưng vì nếu thế đây đang rồi gì ai sao đâu tại công thành phố thời gian hôm nay qua mai tốt mới
    cái con điều chỉ nhất cùng theo giữa mình`,
} as const

const cyrillic = {
  ru: `и в не на я что он с как это а по но они к у ты из мы за вы так же от то все было она о бы его только для мне
    да был вот меня ещё еще нет если уже или когда даже ни был быть были есть где почему потому очень чтобы может можно
    надо этот эта эти том себя под над до после без при тоже сейчас теперь сегодня вчера завтра люди людей год лет
    время день город городе работа работы хорошо новый делать сказать сказал который которая которые всегда никогда`,
  uk: `і в не на що я з це до як та а він у за по але вони ми ви ти для від так же й було вона про його тільки мені
    був ось мене ще немає якщо вже або коли навіть бути були є де чому тому дуже щоб може можна треба цей ця ці себе під
    над після без при також зараз тепер сьогодні вчора завтра люди людей рік років час день місто місті робота роботи
    добре новий робити сказати сказав який яка які завжди ніколи між їх її наш ваш більше багато`,
  bg: `и на в да не се от за е с по че са като до ще това той как но или тя си ли при съм би ми му го ме те ни ви които
    който която което беше бяха бил била има няма може трябва много когато къде защо защото така сега вече само още
    винаги никога днес вчера утре хора хората година години време ден град града работа добре нов прави каза ние вие
    аз ти тези този тази едно един една между след преди без под над също обаче към`,
  sr: `и у је се на да су за од с а о до не што то као који која које или из али би сам смо сте био била било били
    бити није нису како ако већ само кад када где зашто јер зато још сада увек никад данас јуче сутра људи људе година
    године време град граду посао рад добро добар нови радити рећи све сви такође пре после без између ја ти он она ми
    ви они мене нас нам имам има имамо може могу врло онда овај ова ово`,
} as const

const arabic = {
  ar: `في من على إلى أن التي عن مع هذا هذه كان لا ما هو هي أو كل قد لم بين بعد كما ذلك الذي غير ثم قال قبل عند
    حتى إذا كانت يكون نحن أنا أنت هم لكن لأن أي أيضا وقد كيف لماذا أين متى اليوم أمس غدا الناس سنة سنوات الوقت المدينة
    العمل جيد جديد جدا كثير الآن هنا هناك يجب يمكن شيء بعض خلال منذ ليس والتي إنه`,
  fa: `و در به از که این را با است برای آن یک تا بر هم نیز می شود کرد شد بود من ما تو شما او آنها اما یا اگر هر چه
    چرا کجا کی چون پس خیلی همه بعد قبل هستند بودند کنند کند دارد دارند باید خود دیگر مردم سال زمان روز شهر کار خوب
    جدید امروز دیروز فردا هیچ همین همان چیز ولی مثل بین بدون گفت گفتند است نیست می‌شود می‌کند می‌کنند`,
  ur: `کے میں کی ہے اور سے کا کو اس نے پر کہ ہیں یہ ایک بھی نہیں تھا تھی تھے تو ہو وہ کر جو ہم آپ میں کیا گیا گئی
    لئے لیے ساتھ بعد پہلے اپنے ان جب تک کچھ بہت لوگ لوگوں سال وقت دن شہر کام اچھا نیا آج کل اب یہاں وہاں کیوں کہاں
    کیسے ہوتا ہوتی رہا رہی رہے سکتا سکتے چاہیے مجھے تمہیں ہمیں`,
} as const

/** Common words by language: the alphabets that several languages share. */
export const sharedAlphabets = { latin, cyrillic, arabic } as const

/** Function words of languages that have an alphabet to themselves: needed as stop words only. */
const ownAlphabets: Readonly<Record<string, string>> = {
  el: `και το να του η της με που την από για είναι στο οι τα σε δεν ο θα τον τους μας στη στην αυτό ένα μια των τις
    πως αν ως κι εγώ εσύ αυτός αυτή εμείς εσείς ήταν έχει έχουμε όταν γιατί πολύ μόνο όπως αλλά τώρα εδώ εκεί πιο κάτι`,
  he: `של את על לא זה הוא אני היא עם כל גם אם כי או מה יש אבל אנחנו הם אתה זאת היה יותר כמו רק עוד מאוד אז שלי שלנו
    בין לפני אחרי היום איך למה איפה כאן שם צריך יכול אין כבר`,
  hi: `के में की है और से का को हैं इस ने पर यह कि एक भी नहीं था थी थे तो हो वह कर जो हम आप मैं क्या गया गई लिए साथ
    बाद अपने उन जब तक कुछ बहुत लोग अब यहाँ वहाँ क्यों कैसे रहा रही रहे`,
  ja: `の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その
    あっ よう また もの という あり まで られ なる へ か だ これ によって により おり より による ず なり られる において
    です ます ました ません そう でも けど ね よ`,
  zh: `的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 他 她 它 们 我们 你们
    他们 这个 那个 什么 因为 所以 但是 可以 如果 还是 对 把 被 让 从 跟 吗 呢 吧 啊`,
  ko: `이 그 저 것 수 등 들 및 에 의 는 은 을 를 가 와 과 도 로 으로 하고 있는 있다 있습니다 합니다 했습니다 그리고 하지만 그래서
    그런 이런 저는 나는 우리 우리는 정말 많이 아주 다시 지금 오늘 때 더 좀 잘`,
  th: `ที่ และ ใน เป็น ของ ได้ ว่า มี ไม่ ให้ การ จะ กับ ก็ จาก นี้ แต่ คือ เรา ผม ฉัน เขา มา ไป อยู่ แล้ว หรือ ถ้า
    เพราะ มาก อะไร ครับ ค่ะ นะ`,
}

const listed: Readonly<Record<string, string>> = { ...latin, ...cyrillic, ...arabic, ...ownAlphabets }

/** The stop words of a language; empty for one we have no list of. */
export const stopWordsOf = (language: string | null): ReadonlySet<string> =>
  new Set((listed[(language ?? "").toLowerCase().split("-")[0] ?? ""] ?? "").split(/\s+/))
