import { choice, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { SET_PRICES } from '../rights.ts'

/** A run over all clients that have no customer yet, making one for each. */
export const customerBatch = resource({
  type: 'CustomerBatch',
  service: 'financial',
  path: 'customer_batches',
  table: 'customer_batch',
  tenant: 'own',
  order: ['-id'],
  fields: {
    dryRun: flag({ readonly: true, default: true, filter: true }),
    state: choice(['waiting', 'running', 'finished', 'stopped', 'failed'], { readonly: true, filter: true }),
    clientsTotal: integer({ readonly: true, label: 'Clients without a customer' }),
    clientsRead: integer({ readonly: true, label: 'Looked at' }),
    created: integer({ readonly: true }),
    refused: integer({ readonly: true }),
    lastClient: integer({ readonly: true, visible: 'nobody' }),
    author: text({ readonly: true, stamp: 'author' }),
    error: text({ readonly: true }),
    createdAt: instant({ readonly: true, order: true }),
    finishedAt: instant({ readonly: true }),
  },
  allow: { read: SET_PRICES },
  state: 'state',
  actions: {
    stop: {
      path: 'stop',
      title: 'Stop after the client that is being done',
      allow: SET_PRICES,
      from: ['waiting', 'running'],
      input: {},
    },
    resume: {
      path: 'resume',
      title: 'Go on where it stopped',
      allow: SET_PRICES,
      from: ['stopped', 'failed'],
      input: {},
    },
  },
})

/** A client that no customer could be made for, and why. */
export const customerBatchLine = resource({
  type: 'CustomerBatchLine',
  service: 'financial',
  path: 'customer_batch_lines',
  table: 'customer_batch_line',
  tenant: 'own',
  order: ['id'],
  fields: {
    batch: link(() => customerBatch, { readonly: true, filter: true }),
    /** The client's number. */
    client: integer({ readonly: true, filter: true }),
    company: text({ readonly: true }),
    message: text({ readonly: true }),
  },
  allow: { read: SET_PRICES },
})
