import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { iriOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { Changes } from '../comparison/changes.web.tsx'
import { differencesByForm } from '../comparison/differences-by-form.ts'
import type { RecordForm } from '../forms/record-form.ts'
import { useRecordForm } from '../forms/record-form.web.ts'
import type { KindParts } from '../kinds/kind.web.ts'
import type { DocumentRecord } from '../kinds/record.web.ts'
import { useOwnAsked } from './own-asked.web.ts'

interface Props {
  readonly parts: KindParts
  readonly record: DocumentRecord
  /** The whole paper. */
  readonly children: ReactNode
}

/** The paper; to somebody who is asked to sign it again, first only what has changed since what they signed. */
export function ChangedSince({ parts, record, children }: Props) {
  const { original } = useActor()
  const own = useOwnAsked(record.current && original === undefined)
  const asked = own.data?.['hydra:member']
  const again = asked?.find((a) => a.document?.id === record.id && a.revision !== null)
  const [whole, setWhole] = useState(false)
  // Whoever is asked again does not see the whole paper for a moment first.
  if (own.isLoading && record.asked > 0) return <LoadingRows rows={8} />
  if (!again || whole) return children
  return (
    <section className={page.card} aria-labelledby="changed">
      <h2 id="changed">{`What has changed since you signed revision ${again.revision}`}</h2>
      <Since parts={parts} record={record} />
      <div className={page.buttons}>
        <Button variant="default" onClick={() => setWhole(true)}>
          {`Read the whole ${parts.kind.noun}`}
        </Button>
      </div>
    </section>
  )
}

function Since({ parts, record }: Omit<Props, 'children'>) {
  const { kind } = parts
  const url = `${iriOf(kind.resource, record.id)}/signed`
  const signed = useQuery({
    queryKey: [kind.resource.url, 'signed', record.id],
    queryFn: ({ signal }) =>
      call<DocumentRecord & { readonly writtenBy: RecordForm }>('GET', url, undefined, { signal }),
  })
  const form = useRecordForm(kind, record.id)
  const found = useMemo(
    () =>
      signed.data &&
      form.data &&
      differencesByForm(parts, { record: signed.data, form: signed.data.writtenBy }, { record, form: form.data }),
    [parts, signed.data, record, form.data],
  )
  if (signed.isError || form.isError)
    return <Text>It can’t be compared with what you signed. Please read the whole paper.</Text>
  if (!found || !signed.data) return <LoadingRows rows={4} />
  if (!found.length) return <Text>Its words are the same. You are asked to confirm it.</Text>
  return <Changes sides={[`Revision ${signed.data.revision}`, `Revision ${record.revision}`]} found={found} />
}
