/** How pages look: readable on a phone and on a desk, by day and by night, with nothing that is fetched. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c1d22;--soft:#5c606b;--faint:#8a8f9c;--paper:#fff;--panel:#f6f7f9;--line:#e3e5ea;--accent:#0b5bd3;--code:#f1f3f6;--get:#0f7b4f;--post:#0b5bd3;--put:#8a5a00;--patch:#8a5a00;--delete:#b3261e;--mark:#fff3c4}
@media (prefers-color-scheme:dark){:root{--ink:#e7e8ec;--soft:#a6abb8;--faint:#7d8290;--paper:#15161a;--panel:#1c1e24;--line:#2d3038;--accent:#7cb0ff;--code:#22252c;--get:#5fd3a2;--post:#7cb0ff;--put:#e5b567;--patch:#e5b567;--delete:#ff8d85;--mark:#4a3f12}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1.5rem;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
h1,h2,h3,h4{line-height:1.25;margin:0}
h1{font-size:2rem;letter-spacing:-.02em}
h2{font-size:1.45rem;letter-spacing:-.01em}
p{margin:.6rem 0;max-width:46rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--code);padding:.1em .35em;border-radius:4px;overflow-wrap:anywhere}
pre{background:var(--code);padding:.9rem 1rem;border-radius:8px;overflow:auto;margin:.5rem 0;line-height:1.5;max-height:28rem}
pre code{background:none;padding:0;overflow-wrap:normal}
table{border-collapse:collapse;width:100%}
th{font-size:.75rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--faint);text-align:left}
td,th{padding:.5rem .8rem .5rem 0;vertical-align:top;border-bottom:1px solid var(--line)}
tr:target{background:var(--mark)}
.plain{max-width:52rem;margin:0 auto;padding:3rem 1.25rem 5rem}
.lede{color:var(--soft);font-size:1.05rem}
.layout{display:grid;grid-template-columns:17.5rem minmax(0,1fr);max-width:84rem;margin:0 auto}
nav{position:sticky;top:0;align-self:start;height:100vh;overflow:auto;padding:2rem 1.25rem 3rem;border-right:1px solid var(--line);font-size:.875rem}
nav .name{font-size:1.1rem;font-weight:650;color:var(--ink)}
nav .version{color:var(--faint);margin-left:.35rem;font-size:.8rem}
nav h2 a{color:inherit}
nav h2{font-size:.72rem;font-weight:600;letter-spacing:.06em;text-transform:uppercase;color:var(--faint);margin:1.4rem 0 .35rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;gap:.55rem;align-items:baseline;padding:.2rem .4rem;margin:0 -.4rem;border-radius:5px;color:var(--soft)}
nav li a:hover{background:var(--panel);color:var(--ink);text-decoration:none}
main{padding:2.6rem 2.6rem 6rem;min-width:0}
section.group{margin-top:3.5rem}
section.group>p{color:var(--soft)}
article{margin-top:1.5rem;border:1px solid var(--line);border-radius:12px;background:var(--paper);overflow:hidden}
article:target{border-color:var(--accent)}
article header{padding:1.1rem 1.3rem;background:var(--panel);border-bottom:1px solid var(--line)}
article h3{font-size:1.08rem}
article h3 a{color:inherit}
.route{display:flex;gap:.6rem;align-items:baseline;margin-top:.35rem}
.route code{background:none;padding:0;font-size:.9rem}
.method{font:600 .7rem/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.03em;min-width:4em;display:inline-block}
.GET{color:var(--get)}.POST{color:var(--post)}.PUT{color:var(--put)}.PATCH{color:var(--patch)}.DELETE{color:var(--delete)}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.columns>div{padding:1.1rem 1.3rem;min-width:0}
.columns>.sample{border-left:1px solid var(--line);background:var(--panel)}
.sample pre{background:var(--paper);border:1px solid var(--line)}
h4{font-size:.78rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--faint);margin:1.2rem 0 .2rem}
.columns>div>h4:first-child,.columns>div>p:first-child{margin-top:0}
dl{margin:0}
dl>div{padding:.5rem 0;border-top:1px solid var(--line)}
dl>div:first-child{border-top:0}
dt{display:flex;flex-wrap:wrap;gap:.15rem .55rem;align-items:baseline}
dt code{font-weight:600;background:none;padding:0}
dd{margin:.1rem 0 0;color:var(--soft);font-size:.92rem}
dd dl{margin-top:.4rem;padding-left:.9rem;border-left:2px solid var(--line)}
.type{color:var(--faint);font-size:.82rem}
.required{color:var(--delete);font-size:.75rem}
.scope{color:var(--faint);font-size:.82rem;margin:0}
.answer{display:flex;gap:.6rem;align-items:baseline;padding:.28rem 0;font-size:.92rem}
.answer>b{min-width:2.4rem;font:600 .85rem/1.4 ui-monospace,Menlo,Consolas,monospace}
.ok{color:var(--get)}.bad{color:var(--delete)}
details{margin:.3rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.88rem}
footer{margin-top:4rem;color:var(--faint);font-size:.85rem}
@media (max-width:62rem){
.layout{display:block}
nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line);padding:1.25rem 1.25rem 1.25rem}
nav .groups{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;align-items:baseline}
nav .group h2{margin:.5rem 0 0;text-transform:none;letter-spacing:0;font-size:.95rem}
nav .group ul{display:none}
nav .group.start{flex-basis:100%}
nav .group.start h2{display:none}
nav .group.start ul{display:flex;flex-wrap:wrap;gap:0 1.1rem;margin-top:.4rem}
nav .group.start li a{padding:.25rem 0;margin:0}
main{padding:1.5rem 1.25rem 4rem}
.columns{display:block}
.columns>.sample{border-left:0;border-top:1px solid var(--line)}
}
@media (max-width:36rem){
h1{font-size:1.65rem}
article{margin-left:-.5rem;margin-right:-.5rem}
.wide th,.wide td{padding-right:.5rem}
}
@media print{nav{display:none}.layout{display:block}article{break-inside:avoid}}
`
