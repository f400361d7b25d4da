import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useActor } from '#web/api/me.ts'
import page from '#web/ui/page.module.css'
import { LoadingRows } from '#web/ui/states.tsx'
import { BundledDocumentChanges, useChangesSinceSigned } from '../comparison/bundled-changes.web.tsx'
import { RevisionChanges } from '../comparison/changes.web.tsx'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { useOwnRequestedSignatures } from './own-requests.web.ts'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly children: ReactNode
}

/** The document's content. A person who is asked to sign again first sees the changes since their last signature. */
export function ChangesSinceSigned({ parts, record, children }: Props) {
  const { original } = useActor()
  const own = useOwnRequestedSignatures(record.current && original === undefined)
  const asked = own.data?.['hydra:member']
  const again = asked?.find((a) => a.document?.id === record.id && a.revision !== null)
  const [whole, setWhole] = useState(false)
  // Waits for the user's signatures, so that the document doesn't flash up before the changes.
  if (own.isLoading && record.asked > 0) return <LoadingRows rows={8} />
  if (!again || whole) return children
  return (
    <section className={page.card} aria-labelledby="changed">
      <h2 id="changed">{`Changes since you signed revision ${again.revision}`}</h2>
      <Since parts={parts} record={record} />
      <div className={page.buttons}>
        <Button variant="default" onClick={() => setWhole(true)}>
          {`View the whole ${parts.kind.noun}`}
        </Button>
      </div>
    </section>
  )
}

function Since({ parts, record }: Omit<Props, 'children'>) {
  const { found, signed, isError } = useChangesSinceSigned(parts, record)
  if (isError) return <Text>The changes since you signed can’t be shown. Please read the whole document.</Text>
  if (!found || !signed) return <LoadingRows rows={4} />
  if (!found.length) return <Text>The text is unchanged. Please confirm it by signing.</Text>
  return (
    <>
      <RevisionChanges sides={[`Revision ${signed.revision}`, `Revision ${record.revision}`]} found={found} />
      <BundledDocumentChanges parts={parts} before={signed} after={record} signed />
    </>
  )
}
