import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { RowsTable } from '#web/lists/rows-table.tsx'
import layout from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import { equipmentHandover } from './check.ts'
import { type EquipmentItem, equipmentEvent, equipmentFile, equipmentItem } from './item.ts'

interface Props {
  readonly item: EquipmentItem
  readonly onChanged: () => void
}

/** Files, hand-overs and changes of lifecycle of an item. */
export function ItemHistory({ item, onChanged }: Props) {
  const query = { item: item['@id'], itemsPerPage: 100 }
  const handovers = useList(equipmentHandover, query).data?.['hydra:member'] ?? []
  const events = useList(equipmentEvent, query).data?.['hydra:member'] ?? []
  return (
    <>
      <Files item={item} onChanged={onChanged} />
      <section className={layout.card} aria-label="Hand-overs">
        <h2>Hand-overs</h2>
        <RowsTable
          label="Hand-overs"
          heads={['Time', 'To', 'Signed by', 'Handed over by', 'Notes']}
          empty="Not handed over yet"
          rows={handovers.map((one) => ({
            key: one.id,
            words: one.signedName,
            cells: [
              <DateTimeText key="time" at={one.createdAt} />,
              [one.holder?.name, one.site?.name].filter(Boolean).join(', '),
              one.signedName,
              <PersonName key="author" username={one.author} />,
              one.notes,
            ],
          }))}
        />
      </section>
      <section className={layout.card} aria-label="Lifecycle">
        <h2>Lifecycle</h2>
        <RowsTable
          label="Lifecycle"
          heads={['Time', 'Event', 'By', 'Reason']}
          empty="No changes yet"
          rows={events.map((one) => ({
            key: one.id,
            words: one.event,
            cells: [
              <DateTimeText key="time" at={one.createdAt} />,
              one.event,
              <PersonName key="author" username={one.author} />,
              one.notes,
            ],
          }))}
        />
      </section>
    </>
  )
}

function Files({ item, onChanged }: Props) {
  const actor = useActor()
  const files = useList(equipmentFile, { item: item['@id'], itemsPerPage: 100 }).data?.['hydra:member'] ?? []
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({ to: `${item['@id']}/files`, onDone: onChanged })
  return (
    <section className={layout.card} aria-label="Pictures and documents">
      <h2>Pictures and documents</h2>
      {can(actor, 'update', equipmentItem) && <FileDrop small label="Add a file" onFiles={add} />}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      {files.map((file) => (
        <UploadedFileLink key={file.id} file={file as unknown as StoredFile} />
      ))}
    </section>
  )
}
