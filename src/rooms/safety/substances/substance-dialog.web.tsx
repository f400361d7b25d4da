import { Anchor, Button } from '@mantine/core'
import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { document } from '#rooms/documents/kinds/document.ts'
import { call } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useOne } from '#web/api/resources.ts'
import { iriOfLink } from '#web/forms/values.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { say } from '#web/ui/say.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { UploadsView } from '#web/uploads/view.tsx'
import { isTemplate, ownerOf } from '../statements/selection.ts'
import { SubstanceCard } from './card.web.tsx'
import { substance } from './substance.ts'
import { type Substance, SubstanceForm } from './substance-form.web.tsx'
import css from './substances.module.css'

interface Props {
  /** `new`, an id, or '' for closed. */
  readonly open: string
  readonly onOpen: (id: string) => void
  /** The list of the assessments that it may be used in. */
  readonly assessments: string
}

/** One substance: to look at; for those who keep the library, to change or to copy. */
export function SubstanceDialog({ open, onOpen, assessments }: Props) {
  const [shown, setShown] = useState(open)
  const [editing, setEditing] = useState(false)
  if (open && open !== shown) {
    setShown(open)
    setEditing(false)
  }
  const id = shown && shown !== 'new' ? shown : undefined
  const one = useOne(substance, id)
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
          <SubstanceForm
            key={id}
            record={one.data}
            onCancel={() => setEditing(false)}
            onSaved={() => setEditing(false)}
          />
        ) : (
          <Shown
            record={one.data}
            assessments={assessments}
            onEdit={() => setEditing(true)}
            onOpen={onOpen}
            onClose={close}
          />
        ))}
    </Dialog>
  )
}

interface ShownProps extends Pick<Props, 'assessments'> {
  readonly record: Substance
  readonly onEdit: () => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

function Shown({ record, assessments, onEdit, onOpen, onClose }: ShownProps) {
  const actor = useActor()
  const queries = useQueryClient()
  const [copying, setCopying] = useState(false)
  const own = can(actor, 'update', substance, { clientId: ownerOf(record) })
  const sheet = iriOfLink(record.sheet)
  const copy = () => {
    setCopying(true)
    return call<Substance>('POST', `${record['@id']}/copy`)
      .then(async (made) => {
        await queries.invalidateQueries({ queryKey: [substance.url] })
        say.saved(`your copy of ${record.name}`)
        onOpen(String(made.id))
      })
      .catch((e: unknown) => say.failed(e, () => void copy()))
      .finally(() => setCopying(false))
  }
  return (
    <>
      <SubstanceCard of={record} apart />
      <UsedIn record={record} assessments={assessments} />
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
        {!own && isTemplate(record) && can(actor, 'create', substance) && (
          <Button loading={copying} leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
            Copy to our library
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** The assessments that have it, of those that one may read. */
function UsedIn({ record, assessments }: Pick<ShownProps, 'record' | 'assessments'>) {
  const list = useList({ ...document, url: `${substance.url}/${record.id}/where_used` })
  const users = list.data?.['hydra:member'] ?? []
  if (!users.length) return null
  const more = (list.data?.['hydra:totalItems'] ?? users.length) - users.length
  return (
    <section className={css.used}>
      <h3>Where it is used</h3>
      <ul className={css.list}>
        {users.map((d) => (
          <li key={d.id}>
            <Anchor component={Link} to={`${assessments}/view/${d.id}`}>
              {`${d.documentNumber}, revision ${d.revision}`}
            </Anchor>{' '}
            {d.title}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={css.quiet}>{`And ${more} more.`}</p>}
    </section>
  )
}
