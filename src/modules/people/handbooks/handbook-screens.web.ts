import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { DocumentKind } from '#modules/documents/types/kind.ts'
import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { listChapters } from './handbook.ts'

/** Returns the screens of a handbook, which are the same for everyone’s and the managers’ handbook. */
export const handbookScreens = (kind: DocumentKind): DocumentTypeScreens => ({
  kind,
  words: {
    review: 'Do the rules still agree with the law, your contracts and what people do?',
    unsigned: 'No signatures on this revision yet. Request them from your employees.',
  },
  body: () => import('./body.web.tsx'),
  check: ({ chapters }) => ({
    sums: [...formatCountWithNoun(listChapters(chapters).length, 'chapter')],
    looks: [],
    told: { chapters: formatCountWithNoun(listChapters(chapters).length, 'chapter').join('') },
  }),
  missing: (slug) => `${kind.name} ${slug} not found`,
  compare: {
    summary: 'reviewReason',
    labels: { 'chapters.text': 'Text' },
    rows: (field, rows) =>
      field === 'chapters' ? rows.map(({ title, text }) => ({ title: toText(title), text: toText(text) })) : rows,
  },
})
