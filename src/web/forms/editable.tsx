import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { can } from '#kernel/can.ts'
import type { Fields } from '#kernel/fields.ts'
import { labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { useActor } from '../api/me.ts'
import { QUEUED, useQueuedRequestsOf } from '../offline/outbox/outbox.ts'
import { useSaveOrQueue } from '../offline/outbox/use-save-or-queue.ts'
import { isQueued } from '../offline/requests.ts'
import { InPlaceEditor } from './edit-in-place.tsx'
import { saveUnlessChanged } from './store/change-if-unchanged.ts'

/** Queued changes of a record on this device, by field. */
export function useQueuedChanges(address: string): Values {
  const parcels = useQueuedRequestsOf(address)
  return useMemo(() => {
    const changes = parcels.filter((p) => p.method === 'PUT' && p.path === address && isQueued(p))
    return Object.assign({}, ...changes.map((p) => p.body)) as Values
  }, [parcels, address])
}

const YES: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** Fields as lines of text: `Telephone: 0113 496 0000`. */
export const describeValues = (fields: Fields, values: Values): string =>
  Object.entries(values)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(([name, value]) => `${labelOf(name, fields[name]!)}: ${YES[String(value)] ?? String(value)}`)
    .join('\n')

/** `Telephone, E-mail` */
export const describeFields = (fields: Fields, values: Values): string =>
  Object.keys(values)
    .map((name) => (fields[name] ? labelOf(name, fields[name]) : name))
    .join(', ')

interface Props<R extends Resource> {
  readonly resource: R
  readonly record: RecordOf<R>
  readonly name: keyof R['fields'] & string
  readonly readOnly?: boolean
  /** The owner of the value. */
  readonly of?: string
}

/** One field of a record, edited in place and saved on its own. */
export function EditableField<R extends Resource>({ resource, record, name, readOnly = false, of }: Props<R>) {
  const actor = useActor()
  const save = useSaveOrQueue(resource)
  const kept = useQueuedChanges(record['@id'])
  const queries = useQueryClient()
  const field = resource.fields[name]!
  const fixed = readOnly || !can(actor, 'update', resource) || (!!field.editable && !hasRole(actor, field.editable))
  const shown: Values = { ...record, ...kept }
  const title = textOf(shown[resource.title ?? 'name'])
  return (
    <InPlaceEditor
      name={name}
      field={field}
      value={shown[name]}
      record={shown}
      waiting={name in kept}
      readOnly={fixed}
      onSave={async (value) => {
        const values = { [name]: value }
        const saved = await save.mutateAsync({
          id: record.id,
          values,
          ...saveUnlessChanged(resource.fields, record['@id'], shown, values),
          description: {
            what: `Changed: ${labelOf(name, field)}`,
            of: of || title,
            text: describeValues(resource.fields, values),
            at: location.pathname,
          },
        })
        if (saved === QUEUED) return saved
        queries.setQueriesData({ queryKey: [resource.url, 'one'] }, (held: RecordOf<R> | undefined) =>
          held?.id === saved.id ? saved : held,
        )
        return saved
      }}
      {...(of ? { of } : {})}
    />
  )
}
