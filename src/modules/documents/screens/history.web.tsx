import { Anchor, Button, Checkbox } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { DateTimeText } from '#web/dates/relative.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { carriedForwardText } from '../signoff/carried-signatures.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { clientIdOf, type DocumentRecord, revisionsQueryOptions } from '../types/record.web.ts'
import css from './view.module.css'

const Compare = lazyComponent(() => import('../comparison/compare.web.tsx'))

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
}

/** All revisions of a document number, any two of which can be compared. */
export function RevisionHistory({ parts, record }: Props) {
  const { kind } = parts
  const list = useQuery(revisionsQueryOptions(kind, record.id))
  const revisions = list.data?.['hydra:member']
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [open, setOpen] = useState(false)
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((c) => c !== id) : [...chosen, id].slice(-2))
  const pair = revisions?.filter((r) => chosen.includes(r.id)).toSorted((a, b) => a.revision - b.revision)
  return (
    <section className={page.card} aria-labelledby="revisions">
      <h2 id="revisions">Revisions</h2>
      {revisions === undefined ? (
        list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <LoadingRows rows={3} />
        )
      ) : (
        <ul className={css.revisions}>
          {revisions.map((r) => (
            <li key={r.id} aria-current={r.id === record.id || undefined}>
              {revisions.length > 1 && (
                <Checkbox
                  aria-label={`Compare revision ${r.revision}`}
                  checked={chosen.includes(r.id)}
                  onChange={() => toggle(r.id)}
                />
              )}
              <div className={css.words}>
                {r.id === record.id ? (
                  <strong>{`Revision ${r.revision}`}</strong>
                ) : (
                  <Anchor component={Link} to={`${kind.screens.list}/view/${r.id}`}>{`Revision ${r.revision}`}</Anchor>
                )}
                <span className={page.quiet}>
                  <PersonName username={r.author} clientId={clientIdOf(r)} />,{' '}
                  <DateTimeText at={r.completedAt ?? r.updatedAt} day />
                  {r.approvedAt && (
                    <>
                      {', approved '}
                      <DateTimeText at={r.approvedAt} day />
                    </>
                  )}
                  {r.carried > 0 && `, ${carriedForwardText(kind, r.carried)}`}
                </span>
              </div>
              <DocumentChips record={r} />
            </li>
          ))}
        </ul>
      )}
      {revisions && revisions.length > 1 && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
          disabled={pair?.length !== 2}
          onClick={() => setOpen(true)}
        >
          {pair?.length === 2
            ? `Compare ${pair[0]?.revision} with ${pair[1]?.revision}`
            : 'Select two revisions to compare'}
        </Button>
      )}
      <Suspense>
        {open && pair?.[0] && pair[1] && (
          <Compare parts={parts} before={pair[0]} after={pair[1]} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </section>
  )
}
