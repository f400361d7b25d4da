import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { toast } from '#web/ui/toast.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentPermissions, useRefetchDocument } from '../types/record.web.ts'
import css from './view.module.css'

interface Newer {
  readonly documentNumber: string
  readonly from: number
  readonly to: number
}

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
}

/**
 * Banner for a document that refers to a replaced revision, with an action that updates the reference in the open draft
 * or in a new one.
 */
export function OutdatedReferencesBanner({ kind, record }: Props) {
  const navigate = useNavigate()
  const refresh = useRefetchDocument(kind)
  const { write, revise } = documentPermissions(kind, useActor(), record)
  const own = `${document.url}/${record.id}`
  const found = useQuery({
    queryKey: [kind.resource.url, 'newer', record.id],
    queryFn: ({ signal }) => callApi<Collection<Newer>>('GET', `${own}/newer`, undefined, { signal }),
    enabled: write || revise,
  })
  const take = useMutation({
    mutationFn: () => callApi<DocumentRecord>('POST', `${own}/take_newer`),
    onSuccess: async (draft) => {
      await refresh(draft)
      await navigate(`${kind.screens.update}/${draft.id}`)
    },
    onError: (e) => toast.failed(e, () => take.mutate()),
  })
  const newer = found.data?.['hydra:member'] ?? []
  if (!newer.length) return null
  const words = newer.map((n) => `${n.documentNumber} revision ${n.from} (revision ${n.to} is in force)`)
  return (
    <section className={css.band} data-meaning="attention" aria-label="A newer revision is in force">
      <p
        className={css.says}
      >{`This document refers to replaced revisions: ${new Intl.ListFormat('en-GB').format(words)}.`}</p>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={take.isPending}
        onClick={() => take.mutate()}
      >
        {record.state === 'draft' ? 'Use the new revisions' : 'Use the new revisions in the next draft'}
      </Button>
    </section>
  )
}
