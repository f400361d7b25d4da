import { useMemo } from 'react'
import { type Fields, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { useQueuedRequestsForUrl } from '../offline/outbox/outbox.ts'
import { isAwaitingDelivery } from '../offline/requests.ts'

/** Returns a record's queued changes on this device, by field. */
export function useQueuedChanges(address: string): Values {
  const parcels = useQueuedRequestsForUrl(address)
  return useMemo(() => {
    const changes = parcels.filter((p) => p.method === 'PUT' && p.path === address && isAwaitingDelivery(p))
    return Object.assign({}, ...changes.map((p) => p.body)) as Values
  }, [parcels, address])
}

const YES: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** Formats fields and their values as lines of text: `Telephone: 0113 496 0000`. */
export const formatFieldValueLines = (fields: Fields, values: Values): string =>
  Object.entries(values)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(([name, value]) => `${labelOf(name, fields[name]!)}: ${YES[String(value)] ?? String(value)}`)
    .join('\n')

/** Formats the labels of fields as a list: `Telephone, E-mail` */
export const formatFieldLabels = (fields: Fields, values: Values): string =>
  Object.keys(values)
    .map((name) => (fields[name] ? labelOf(name, fields[name]) : name))
    .join(', ')
