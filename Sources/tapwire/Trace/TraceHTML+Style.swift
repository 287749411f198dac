extension TraceHTML {
    /// How the page looks: in the light, in the dark, and on paper.
    static let style = """
        :root { color-scheme: light dark;
          --back: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #5d6875; --line: #dfe3e8;
          --blue: #1f6feb; --green: #1a7f4b; --amber: #9a6700; --red: #c62828; --chip: #eef1f5; }
        @media (prefers-color-scheme: dark) { :root {
          --back: #0f1318; --card: #181d24; --ink: #e4e8ee; --soft: #98a3b1; --line: #2b323c;
          --blue: #6ea8ff; --green: #58c98b; --amber: #e3b341; --red: #ff7b72; --chip: #232a33; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--ink);
          font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
        main { max-width: 66rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
        h2 { font-size: 1.1rem; margin: 2.2rem 0 .7rem; }
        h3 { font-size: 1rem; margin: 0 0 .6rem; display: flex; gap: .6rem; align-items: baseline; overflow-wrap: anywhere; }
        code { font: .86em/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
        small, .source, .time { color: var(--soft); }
        a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
        a:hover { color: var(--blue); }
        .source { margin: .3rem 0 0; font-size: .88rem; overflow-wrap: anywhere; }
        .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .7rem; margin: 1.3rem 0; }
        .facts div, section, .scroll, .note { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
        .facts div { padding: .6rem .9rem; }
        dt { color: var(--soft); font-size: .75rem; letter-spacing: .05em; text-transform: uppercase; }
        dd { margin: .1rem 0 0; font-weight: 600; overflow-wrap: anywhere; }
        dd small { display: block; font-weight: 400; }
        .note { padding: .5rem .9rem; margin: .5rem 0; font-size: .88rem; overflow-wrap: anywhere; }
        .scroll { overflow-x: auto; }
        table { width: 100%; border-collapse: collapse; font-size: .9rem; }
        th { text-align: left; font-weight: 400; }
        thead th { color: var(--soft); font-size: .78rem; }
        th, td { padding: .3rem .9rem; border-top: 1px solid var(--line); white-space: nowrap; }
        thead th { border-top: 0; padding-top: .6rem; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .bar { width: 50%; min-width: 12rem; }
        .track { display: block; background: var(--chip); border-radius: .3rem; overflow: hidden; }
        .track i { display: block; height: .8rem; min-width: 2px; border-radius: .3rem; background: var(--blue); }
        section { padding: .9rem 1rem; margin: 0 0 .8rem; border-left: .3rem solid var(--green); scroll-margin-top: 1rem; }
        section.odd { border-left-color: var(--amber); }
        section.bad { border-left-color: var(--red); }
        section:target { outline: 2px solid var(--blue); }
        .count { color: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
        .time { margin-left: auto; font-weight: 400; font-size: .85rem; white-space: nowrap; }
        .apdu { display: grid; grid-template-columns: 5.2rem 1fr; align-items: baseline; margin: .5rem 0 .2rem; }
        .side { font-size: .75rem; letter-spacing: .05em;
          text-transform: uppercase; color: var(--blue); }
        .response .side { color: var(--green); }
        .words { color: var(--soft); font-size: .88rem; }
        .odd .words { color: var(--amber); }
        .bad .words { color: var(--red); }
        details { display: inline; }
        details[open] > code { display: block; margin: .2rem 0 .2rem 1rem; }
        summary { display: inline; cursor: pointer; }
        ul { list-style: none; margin: 0; padding: 0; }
        .objects .objects { padding-left: 1.1rem; border-left: 1px solid var(--line); margin-left: .3rem; }
        .objects li { padding: .13rem 0; }
        .objects b { display: inline-block; min-width: 3.2rem; margin-right: .2rem; padding: 0 .35rem; border-radius: .3rem;
          background: var(--chip); font: 600 .8em/1.6 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
          text-align: center; }
        .objects em { font-style: normal; color: var(--green); }
        .objects code { color: var(--soft); }
        .meanings { display: flex; flex-wrap: wrap; gap: .25rem; padding: .15rem 0 .2rem 3.7rem; }
        .meanings li { padding: 0 .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .8rem;
          color: var(--soft); overflow-wrap: anywhere; }
        @media (max-width: 40rem) { .meanings { padding-left: 0; } .apdu { display: block; } }
        @media print {
          :root { color-scheme: light; --back: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --chip: #eee; }
          body { font-size: 10pt; }
          main { max-width: none; padding: 0; }
          section, .facts div { break-inside: avoid-page; }
          details::details-content { content-visibility: visible; display: block; }
          .track i, .objects b, section { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """
}
