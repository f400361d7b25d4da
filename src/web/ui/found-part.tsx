import { Fragment } from 'react'
import type { FoundPart } from '#kernel/text.ts'
import page from './page.module.css'

/** Column of cards on a phone. In a table, the part is the second line of the title. */
export const FOUND_PART_COLUMN = {
  key: 'found',
  title: 'Found in',
  render: ({ found }: { readonly found?: unknown }) => (found ? <FoundPartText part={found as FoundPart} /> : null),
}

/** Shows in which part of a record a search found its text, and the text around it, with the words searched for marked. */
export function FoundPartText({ part }: { readonly part: FoundPart | null | undefined }) {
  if (!part) return null
  return (
    <span className={page.found}>
      {part.pieces.length ? `${part.label}: ` : `Found in: ${part.label}`}
      {part.pieces.map(({ text, found }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other key, and are never reordered
        <Fragment key={n}>
          {found && part.pieces[n - 1]?.found && ' … '}
          {found ? <mark>{text}</mark> : text}
        </Fragment>
      ))}
    </span>
  )
}
