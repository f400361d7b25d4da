import { useQueryClient } from '@tanstack/react-query'
import { can } from '#kernel/can.ts'
import { labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { useActor } from '../api/me.ts'
import { QUEUED_RESULT } from '../offline/outbox/outbox.ts'
import { useSaveOrQueue } from '../offline/outbox/use-save-or-queue.ts'
import { InPlaceEditor } from './edit-in-place.tsx'
import { formatFieldValueLines, useQueuedChanges } from './queued-changes.ts'
import { conditionalSaveOptions } from './store/change-if-unchanged.ts'

interface Props<R extends Resource> {
  readonly resource: R
  readonly record: RecordOf<R>
  readonly name: keyof R['fields'] & string
  readonly readOnly?: boolean
  /** Name of the record to which the value belongs. */
  readonly of?: string
}

/** Single field of a record, edited in place and saved independently of other fields. */
export function EditableField<R extends Resource>({ resource, record, name, readOnly = false, of }: Props<R>) {
  const actor = useActor()
  const save = useSaveOrQueue(resource)
  const kept = useQueuedChanges(record['@id'])
  const queries = useQueryClient()
  const field = resource.fields[name]!
  const fixed = readOnly || !can(actor, 'update', resource) || (!!field.editable && !hasRole(actor, field.editable))
  const shown: Values = { ...record, ...kept }
  const title = toText(shown[resource.title ?? 'name'])
  return (
    <InPlaceEditor
      name={name}
      field={field}
      value={shown[name]}
      record={shown}
      waiting={name in kept}
      readOnly={fixed}
      onSave={async (value, over) => {
        const values = { [name]: value }
        const saved = await save.mutateAsync({
          id: record.id,
          values,
          ...conditionalSaveOptions(resource.fields, record['@id'], { ...shown, ...over }, values),
          description: {
            what: `Changed: ${labelOf(name, field)}`,
            of: of || title,
            text: formatFieldValueLines(resource.fields, values),
            at: location.pathname,
          },
        })
        if (saved === QUEUED_RESULT) return saved
        queries.setQueriesData({ queryKey: [resource.url, 'one'] }, (held: RecordOf<R> | undefined) =>
          held?.id === saved.id ? saved : held,
        )
        return saved
      }}
      {...(of ? { of } : {})}
    />
  )
}
