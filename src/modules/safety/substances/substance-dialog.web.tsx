import { Button } from '@mantine/core'
import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { iriOfLink } from '#web/forms/values.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { UploadsView } from '#web/uploads/view.tsx'
import { LibraryItemUses } from '../impact/beside.web.tsx'
import { isSystemTemplate, libraryOwnerOf } from '../statements/selection.ts'
import { SubstanceCard } from './card.web.tsx'
import { substance } from './substance.ts'
import { SubstanceForm, type SubstanceRecord } from './substance-form.web.tsx'

interface Props {
  /** `new`, an id, or '' if closed. */
  readonly open: string
  readonly onOpen: (id: string) => void
}

/** Dialog to view a substance and, for people who manage the library, to edit or copy it. */
export function SubstanceDialog({ open, onOpen }: Props) {
  const [shown, setShown] = useState(open)
  const [editing, setEditing] = useState(false)
  if (open && open !== shown) {
    setShown(open)
    setEditing(false)
  }
  const id = shown && shown !== 'new' ? shown : undefined
  const one = useApiRecord(substance, id)
  const close = () => {
    setEditing(false)
    onOpen('')
  }
  return (
    <Dialog
      opened={open !== ''}
      addressed
      onClose={close}
      size="56rem"
      title={id ? (one.data?.name ?? 'Substance') : 'New substance'}
    >
      {shown === 'new' && <SubstanceForm onCancel={close} onSaved={(made) => onOpen(String(made.id))} />}
      {id && one.isPending && <LoadingRows rows={6} />}
      {id && one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.data &&
        id &&
        (editing ? (
          <>
            <SubstanceForm
              key={id}
              record={one.data}
              onCancel={() => setEditing(false)}
              onSaved={() => setEditing(false)}
            />
            <LibraryItemUses of={one.data} called={`The substance “${one.data.name}”`} />
          </>
        ) : (
          <Shown record={one.data} onEdit={() => setEditing(true)} onOpen={onOpen} onClose={close} />
        ))}
    </Dialog>
  )
}

interface ShownProps {
  readonly record: SubstanceRecord
  readonly onEdit: () => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

function Shown({ record, onEdit, onOpen, onClose }: ShownProps) {
  const actor = useActor()
  const queries = useQueryClient()
  const [copying, setCopying] = useState(false)
  const own = can(actor, 'update', substance, { clientId: libraryOwnerOf(record) })
  const sheet = iriOfLink(record.sheet)
  const copy = () => {
    setCopying(true)
    return callApi<SubstanceRecord>('POST', `${record['@id']}/copy`)
      .then(async (made) => {
        await queries.invalidateQueries({ queryKey: [substance.url] })
        toast.saved(`your copy of ${record.name}`)
        onOpen(String(made.id))
      })
      .catch((e: unknown) => toast.failed(e, () => void copy()))
      .finally(() => setCopying(false))
  }
  return (
    <>
      <SubstanceCard of={record} apart />
      {sheet && <UploadsView value={[{ '@id': sheet }]} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {own && (
          <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            Edit substance
          </Button>
        )}
        {!own && isSystemTemplate(record) && can(actor, 'create', substance) && (
          <Button loading={copying} leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy to our library
          </Button>
        )}
      </DialogActions>
      <LibraryItemUses of={record} called={`The substance “${record.name}”`} />
    </>
  )
}
