import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { formatCountWithNoun } from '#kernel/text.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import type { SharedPack } from './pack-link.ts'
import css from './shared.module.css'

/**
 * Public page for a pack link, which needs no sign-in. Shows the company, the parts and the complete pack as one file.
 */
export default function SharedPackPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_packs/${token}`
  return (
    <PublicLinkPage<SharedPack>
      at={at}
      title="RAMS pack"
      titleOf={({ pack }) => pack?.title}
      closedTitle="This pack is no longer available"
    >
      {({ pack, company }) =>
        pack && (
          <>
            <p className={css.about}>
              {`${pack.number}, revision ${pack.revision}`}
              {pack.approvedAt && `, approved on ${formatIsoAsUkDateTime(pack.approvedAt)}`}
              {`. This link expires on ${formatIsoAsUkDate(pack.until)}.`}
            </p>
            <p className={css.about}>
              {pack.signatures
                ? `${formatCountWithNoun(pack.signatures, 'signature')[0]} so far: the file includes ${pack.signatures === 1 ? 'it' : 'them'}.`
                : 'No signatures yet.'}
            </p>
            <Button
              component="a"
              href={`${at}/pdf`}
              target="_blank"
              size="md"
              className={css.file ?? ''}
              leftSection={<IconFileTypePdf size={18} aria-hidden />}
            >
              Open pack
            </Button>
            <section aria-labelledby="papers">
              <h2 id="papers">Documents</h2>
              <ol className={css.papers}>
                {pack.papers.map((paper) => (
                  <li key={`${paper.number} ${paper.title}`}>
                    {paper.title} <span className={css.about}>{paper.number}</span>
                    {paper.replaced && (
                      <p className={css.about}>
                        A newer revision is in force: please ask {company} which one applies here.
                      </p>
                    )}
                    {paper.notes && <p className={css.about}>{paper.notes}</p>}
                  </li>
                ))}
              </ol>
            </section>
          </>
        )
      }
    </PublicLinkPage>
  )
}
