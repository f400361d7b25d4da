import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { idFromIri } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import type { DocumentKind } from '../types/kind.ts'
import {
  type DocumentRecord,
  documentTitleOrUntitled,
  loadDocumentPrefill,
  useRefetchDocument,
} from '../types/record.web.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly onClose: () => void
}

/** Dialog to copy a document to a client. The copy is a draft with a number from the client's own sequence. */
export default function CopyToDialog({ kind, record, onClose }: Props) {
  const [to, setTo] = useState<{ iri: string; name: string }>()
  const refresh = useRefetchDocument(kind)
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const copy = useMutation({
    mutationFn: async (clientId: string) => {
      const model = await loadDocumentPrefill(`${record['@id']}/${clientId}/copyTo`)
      return callApi<DocumentRecord>('POST', kind.resource.url, model, { idempotencyKey: keys.keyFor(model) })
    },
    onSuccess: (made) => {
      void refresh(made)
      toast.info(`Copied to ${to?.name} as draft ${made.documentNumber}`, 'safe')
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={`Copy ${record.documentNumber} to a client`} size="36rem">
      <Text mb="md">
        {`The client will get a draft of “${documentTitleOrUntitled(kind, record)}” with its own number. Uploaded files will not be copied.`}
      </Text>
      <RemoteSelect
        target={client}
        label="Client (Required)"
        required
        autoFocus
        value={to?.iri ?? null}
        params={{ retired: false }}
        onChange={(iri) => iri === null && setTo(undefined)}
        onChoice={(choice) => setTo(choice ?? undefined)}
        error={copy.isError ? errorSentence(copy.error) : undefined}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={!to}
          loading={copy.isPending}
          onClick={() => to && copy.mutate(idFromIri(client, to.iri) as string)}
        >
          Copy
        </Button>
      </DialogActions>
    </Dialog>
  )
}
