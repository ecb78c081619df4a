// What a search puts first: pages that explain before cases, catalogues and listings.
var Scorer = {
  score: ([docname, title, anchor, description, score]) => {
    if (/^(conformance|errors|examples)\//.test(docname)) return score - 12;
    if (/^(ir-schema|cli-help|definition)$/.test(docname)) return score - 8;
    return /^(reference|glossary|tutorial|how-to)/.test(docname) ? score + 4 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
