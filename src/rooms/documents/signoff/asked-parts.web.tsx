import { lastMinute } from '#kernel/time.ts'
import { WaitingParts, WaitingRow } from '#web/dashboard/waiting.tsx'
import { Relative } from '#web/dates/relative.tsx'
import type { KindFace } from '../kinds/kind-face.ts'
import { type Asked, OWN_ASKED, placeOfAsked } from './own-asked.web.ts'

/** What this person is asked to sign, with the day by which. */
export const AskedParts = ({ kinds }: { readonly kinds: readonly KindFace[] }) => (
  <WaitingParts<Asked>
    lists={[
      {
        title: 'To sign',
        url: `${OWN_ASKED}?itemsPerPage=6`,
        more: () => [],
        row: (asked) => (
          <WaitingRow
            to={placeOfAsked(kinds, asked)}
            title={asked.document?.title || `Untitled ${asked.document?.documentNumber ?? ''}`}
            detail={detailOf(asked)}
          >
            <Relative at={lastMinute(Temporal.PlainDate.from(asked.due)).toString()} due />
          </WaitingRow>
        ),
      },
    ]}
  />
)

const detailOf = ({ document, revision }: Asked) =>
  `${document?.documentNumber ?? ''} revision ${document?.revision ?? ''}${
    revision === null ? '' : `, changed since you signed revision ${revision}`
  }`
