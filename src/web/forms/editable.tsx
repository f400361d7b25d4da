import { useQueryClient } from '@tanstack/react-query'
import { can } from '#kernel/can.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { holds } from '#kernel/roles.ts'
import { useActor } from '../api/me.ts'
import { useSave } from '../api/resources.ts'
import { EditInPlace } from './edit-in-place.tsx'

interface Props<R extends Resource> {
  readonly resource: R
  readonly record: RecordOf<R>
  readonly name: keyof R['fields'] & string
  readonly readOnly?: boolean
  /** Whose value it is. */
  readonly of?: string
}

/** One field of a record, edited where it stands and saved by itself. */
export function Editable<R extends Resource>({ resource, record, name, readOnly = false, of }: Props<R>) {
  const actor = useActor()
  const save = useSave(resource)
  const queries = useQueryClient()
  const field = resource.fields[name]!
  const fixed = readOnly || !can(actor, 'update', resource) || (!!field.editable && !holds(actor, field.editable))
  return (
    <EditInPlace
      name={name}
      field={field}
      value={(record as Record<string, unknown>)[name]}
      readOnly={fixed}
      onSave={async (value) => {
        const saved = await save.mutateAsync({ id: record.id, values: { [name]: value } })
        queries.setQueriesData({ queryKey: [resource.url, 'one'] }, (held: RecordOf<R> | undefined) =>
          held?.id === saved.id ? saved : held,
        )
      }}
      {...(of ? { of } : {})}
    />
  )
}
