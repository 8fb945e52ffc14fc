/** Speeches and documents in the public domain, line by line, and questions whose answer is known to be in one of the lines. */

interface KnownText {
  readonly name: string
  readonly lines: ReadonlyArray<string>
  /** A question, and words of the line that answers it. */
  readonly questions: ReadonlyArray<readonly [question: string, answer: string]>
}

const lines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const gettysburg: KnownText = {
  name: "Abraham Lincoln, Gettysburg Address, 1863",
  lines: lines(`
    Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal.
    Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated, can long endure.
    We are met on a great battle-field of that war.
    We have come to dedicate a portion of that field, as a final resting place for those who here gave their lives that that nation might live.
    It is altogether fitting and proper that we should do this.
    But, in a larger sense, we can not dedicate, we can not consecrate, we can not hallow this ground.
    The brave men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract.
    The world will little note, nor long remember what we say here, but it can never forget what they did here.
    It is for us the living, rather, to be dedicated here to the unfinished work which they who fought here have thus far so nobly advanced.
    It is rather for us to be here dedicated to the great task remaining before us,
    that from these honored dead we take increased devotion to that cause for which they gave the last full measure of devotion,
    that we here highly resolve that these dead shall not have died in vain,
    that this nation, under God, shall have a new birth of freedom,
    and that government of the people, by the people, for the people, shall not perish from the earth.`),
  questions: [
    ["How many years ago was the new nation brought forth?", "Four score and seven years"],
    ["Who has consecrated the ground of the battle?", "The brave men, living and dead"],
    ["What kind of government shall not perish?", "government of the people"],
    ["What will the world remember of these words?", "The world will little note"],
    ["What is being tested by the civil war?", "great civil war"],
    ["Why is a portion of the field dedicated?", "final resting place"],
  ],
}

const billOfRights: KnownText = {
  name: "United States Bill of Rights, 1791",
  lines: lines(`
    Congress shall make no law respecting an establishment of religion, or prohibiting the free exercise thereof;
    or abridging the freedom of speech, or of the press; or the right of the people peaceably to assemble, and to petition the Government for a redress of grievances.
    A well regulated Militia, being necessary to the security of a free State, the right of the people to keep and bear Arms, shall not be infringed.
    No Soldier shall, in time of peace be quartered in any house, without the consent of the Owner, nor in time of war, but in a manner to be prescribed by law.
    The right of the people to be secure in their persons, houses, papers, and effects, against unreasonable searches and seizures, shall not be violated,
    and no Warrants shall issue, but upon probable cause, supported by Oath or affirmation, and particularly describing the place to be searched, and the persons or things to be seized.
    No person shall be held to answer for a capital, or otherwise infamous crime, unless on a presentment or indictment of a Grand Jury,
    except in cases arising in the land or naval forces, or in the Militia, when in actual service in time of War or public danger;
    nor shall any person be subject for the same offence to be twice put in jeopardy of life or limb;
    nor shall be compelled in any criminal case to be a witness against himself, nor be deprived of life, liberty, or property, without due process of law;
    nor shall private property be taken for public use, without just compensation.
    In all criminal prosecutions, the accused shall enjoy the right to a speedy and public trial, by an impartial jury of the State and district wherein the crime shall have been committed,
    which district shall have been previously ascertained by law, and to be informed of the nature and cause of the accusation;
    to be confronted with the witnesses against him; to have compulsory process for obtaining witnesses in his favor, and to have the Assistance of Counsel for his defence.
    In Suits at common law, where the value in controversy shall exceed twenty dollars, the right of trial by jury shall be preserved,
    and no fact tried by a jury, shall be otherwise re-examined in any Court of the United States, than according to the rules of the common law.
    Excessive bail shall not be required, nor excessive fines imposed, nor cruel and unusual punishments inflicted.
    The enumeration in the Constitution, of certain rights, shall not be construed to deny or disparage others retained by the people.
    The powers not delegated to the United States by the Constitution, nor prohibited by it to the States, are reserved to the States respectively, or to the people.`),
  questions: [
    ["May soldiers live in a private house in times of peace?", "No Soldier shall"],
    ["What has to be shown before a warrant is issued?", "upon probable cause"],
    ["Can somebody be tried twice for the same offence?", "twice put in jeopardy"],
    ["When does private property that is taken have to be paid?", "private property be taken"],
    ["Must an accused be a witness against himself?", "witness against himself"],
    ["From how many dollars on is there a trial by jury?", "exceed twenty dollars"],
    ["Which punishments are forbidden?", "cruel and unusual punishments"],
    ["Who has the powers that are not delegated?", "powers not delegated"],
    ["May the people carry arms?", "keep and bear Arms"],
    ["Does an accused get the assistance of a lawyer or counsel?", "Assistance of Counsel"],
    ["What may Congress not prohibit about religion?", "establishment of religion"],
    ["How fast must the trial of an accused be?", "speedy and public trial"],
  ],
}

const declaration: KnownText = {
  name: "United States Declaration of Independence, 1776",
  lines: lines(`
    When in the Course of human events, it becomes necessary for one people to dissolve the political bands which have connected them with another,
    a decent respect to the opinions of mankind requires that they should declare the causes which impel them to the separation.
    We hold these truths to be self-evident, that all men are created equal, that they are endowed by their Creator with certain unalienable Rights,
    that among these are Life, Liberty and the pursuit of Happiness.
    That to secure these rights, Governments are instituted among Men, deriving their just powers from the consent of the governed.
    Prudence, indeed, will dictate that Governments long established should not be changed for light and transient causes;
    The history of the present King of Great Britain is a history of repeated injuries and usurpations, all having in direct object the establishment of an absolute Tyranny over these States.
    He has refused his Assent to Laws, the most wholesome and necessary for the public good.
    He has forbidden his Governors to pass Laws of immediate and pressing importance, unless suspended in their operation till his Assent should be obtained;
    He has called together legislative bodies at places unusual, uncomfortable, and distant from the depository of their public Records,
    for the sole purpose of fatiguing them into compliance with his measures.
    He has dissolved Representative Houses repeatedly, for opposing with manly firmness his invasions on the rights of the people.
    He has endeavoured to prevent the population of these States; for that purpose obstructing the Laws for Naturalization of Foreigners;
    He has obstructed the Administration of Justice, by refusing his Assent to Laws for establishing Judiciary powers.
    He has made Judges dependent on his Will alone, for the tenure of their offices, and the amount and payment of their salaries.
    He has erected a multitude of New Offices, and sent hither swarms of Officers to harrass our people, and eat out their substance.
    He has kept among us, in times of peace, Standing Armies without the Consent of our legislatures.
    He has affected to render the Military independent of and superior to the Civil power.
    For cutting off our Trade with all parts of the world:
    For imposing Taxes on us without our Consent:
    For depriving us in many cases, of the benefits of Trial by Jury:
    For transporting us beyond Seas to be tried for pretended offences.
    He has abdicated Government here, by declaring us out of his Protection and waging War against us.
    He has plundered our seas, ravaged our Coasts, burnt our towns, and destroyed the lives of our people.
    He is at this time transporting large Armies of foreign Mercenaries to compleat the works of death, desolation and tyranny.
    He has constrained our fellow Citizens taken Captive on the high Seas to bear Arms against their Country.
    In every stage of these Oppressions We have Petitioned for Redress in the most humble terms: Our repeated Petitions have been answered only by repeated injury.
    Nor have We been wanting in attentions to our Brittish brethren.
    They too have been deaf to the voice of justice and of consanguinity.
    That these United Colonies are, and of Right ought to be Free and Independent States; that they are Absolved from all Allegiance to the British Crown,
    and that as Free and Independent States, they have full Power to levy War, conclude Peace, contract Alliances, establish Commerce.
    And for the support of this Declaration, with a firm reliance on the protection of divine Providence, we mutually pledge to each other our Lives, our Fortunes and our sacred Honor.`),
  questions: [
    ["Which rights are unalienable?", "unalienable Rights"],
    ["Where do governments derive their powers from?", "consent of the governed"],
    ["On whom do the judges depend for their salaries?", "made Judges dependent"],
    ["What did the king do to coasts and towns?", "burnt our towns"],
    ["Who was sent to harass the people?", "swarms of Officers"],
    ["Were taxes imposed without consent?", "imposing Taxes"],
    ["What is pledged in support of the declaration?", "sacred Honor"],
    ["How were the petitions answered?", "repeated Petitions"],
    ["Where were the legislative bodies called together?", "places unusual"],
    ["Were armies kept in times of peace?", "Standing Armies"],
    ["What do the foreign mercenaries come for?", "foreign Mercenaries"],
    ["How did the king hinder the naturalization of foreigners?", "Naturalization of Foreigners"],
    ["Who has been deaf to justice?", "deaf to the voice"],
    ["From which allegiance are the colonies absolved?", "Absolved from all Allegiance"],
  ],
}

const kennedy: KnownText = {
  name: "John F. Kennedy, Inaugural Address, 1961",
  lines: lines(`
    We observe today not a victory of party but a celebration of freedom, symbolizing an end as well as a beginning, signifying renewal as well as change.
    For I have sworn before you and Almighty God the same solemn oath our forebears prescribed nearly a century and three-quarters ago.
    The world is very different now.
    For man holds in his mortal hands the power to abolish all forms of human poverty and all forms of human life.
    Let the word go forth from this time and place, to friend and foe alike, that the torch has been passed to a new generation of Americans,
    born in this century, tempered by war, disciplined by a hard and bitter peace, proud of our ancient heritage.
    Let every nation know, whether it wishes us well or ill, that we shall pay any price, bear any burden, meet any hardship, support any friend, oppose any foe to assure the survival and the success of liberty.
    To those old allies whose cultural and spiritual origins we share, we pledge the loyalty of faithful friends.
    United there is little we cannot do in a host of cooperative ventures. Divided there is little we can do.
    To those new states whom we welcome to the ranks of the free, we pledge our word that one form of colonial control shall not have passed away merely to be replaced by a far more iron tyranny.
    But we shall always hope to find them strongly supporting their own freedom,
    and to remember that, in the past, those who foolishly sought power by riding the back of the tiger ended up inside.
    To those people in the huts and villages of half the globe struggling to break the bonds of mass misery, we pledge our best efforts to help them help themselves.
    If a free society cannot help the many who are poor, it cannot save the few who are rich.
    To our sister republics south of our border, we offer a special pledge, to convert our good words into good deeds, in a new alliance for progress.
    To that world assembly of sovereign states, the United Nations, our last best hope in an age where the instruments of war have far outpaced the instruments of peace, we renew our pledge of support.
    Finally, to those nations who would make themselves our adversary, we offer not a pledge but a request: that both sides begin anew the quest for peace.
    We dare not tempt them with weakness.
    For only when our arms are sufficient beyond doubt can we be certain beyond doubt that they will never be employed.
    So let us begin anew, remembering on both sides that civility is not a sign of weakness, and sincerity is always subject to proof.
    Let us never negotiate out of fear. But let us never fear to negotiate.
    Let both sides, for the first time, formulate serious and precise proposals for the inspection and control of arms.
    Let both sides seek to invoke the wonders of science instead of its terrors.
    Together let us explore the stars, conquer the deserts, eradicate disease, tap the ocean depths, and encourage the arts and commerce.
    All this will not be finished in the first one hundred days. Nor will it be finished in the first one thousand days, nor in the life of this administration, nor even perhaps in our lifetime on this planet.
    In your hands, my fellow citizens, more than mine, will rest the final success or failure of our course.
    Now the trumpet summons us again, not as a call to bear arms, though arms we need, not as a call to battle, though embattled we are,
    but a call to bear the burden of a long twilight struggle, against the common enemies of man: tyranny, poverty, disease, and war itself.
    In the long history of the world, only a few generations have been granted the role of defending freedom in its hour of maximum danger.
    The energy, the faith, the devotion which we bring to this endeavor will light our country and all who serve it.
    And so, my fellow Americans: ask not what your country can do for you, ask what you can do for your country.
    With a good conscience our only sure reward, with history the final judge of our deeds, let us go forth to lead the land we love.`),
  questions: [
    ["To whom has the torch been passed?", "torch has been passed"],
    ["What happened to those who rode on a tiger?", "back of the tiger"],
    ["What did he say about negotiating and fear?", "never negotiate out of fear"],
    ["What is offered to the sister republics in the south?", "sister republics"],
    ["Which enemies of man are named?", "common enemies of man"],
    ["How long will it take to finish all this?", "one hundred days"],
    ["What should both sides do with science?", "wonders of science"],
    ["What should Americans ask?", "ask not what your country"],
    ["What does he say of the United Nations?", "United Nations"],
    ["What will be done for people in villages and huts?", "huts and villages"],
    ["Is civility a sign of weakness?", "civility is not a sign"],
    ["Should the oceans and deserts be explored?", "conquer the deserts"],
    ["When can we be certain that arms are never employed?", "arms are sufficient"],
    ["What oath has been sworn?", "solemn oath"],
  ],
}

/** Questions that none of them answers. */
export const unanswered: ReadonlyArray<string> = [
  "Who won the football match on Saturday?",
  "What is the recipe for apple pie?",
  "How many moons does Jupiter have?",
  "Which airport is closest to Berlin?",
  "When was the telephone invented?",
  "What did the doctor prescribe against the cough?",
  "Who painted the ceiling of the chapel?",
  "How do penguins sleep?",
  "Which version of the software fixes the bug?",
  "What does the new phone cost?",
]

export const publicSpeeches: ReadonlyArray<KnownText> = [gettysburg, billOfRights, declaration, kennedy]
