import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useActor } from '#web/api/me.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { improvementsOptions } from '../template-updates/improvement-query.web.ts'
import type { KindParts } from '../types/kind.web.ts'
import { clientOf, type DocumentRecord, mayOf } from '../types/record.web.ts'
import css from './view.module.css'

const Improvements = lazily(() => import('../template-updates/improvements.web.tsx'))

interface Props {
  readonly parts: KindParts
  readonly record: DocumentRecord
}

/** Says that what a document was copied from has been improved since, and leads to what has changed. */
export function ImprovedBand({ parts, record }: Props) {
  const actor = useActor()
  const { write, revise } = mayOf(parts.kind, actor, record)
  const own = clientOf(record) === actor.clientId
  const found = useQuery({ ...improvementsOptions(record.id), enabled: own && (write || revise) })
  const [open, setOpen] = useState(false)
  const template = found.data?.template
  if (!found.data || !template) return null
  return (
    <section className={css.band} data-meaning="info" aria-label="Its template was improved">
      <p className={css.says}>
        {`“${template.title}”, which this was copied from, was improved${template.reason && `: ${template.reason}`}.`}
      </p>
      <Button variant="default" leftSection={<IconSparkles size={16} aria-hidden />} onClick={() => setOpen(true)}>
        See what is new
      </Button>
      {open && (
        <Suspense>
          <Improvements parts={parts} record={record} found={found.data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
