import { choice, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { JOB_STATES } from '#modules/portal/runs/run.ts'
import { BILLING_ADMIN_ROLE } from '../rights.ts'

/**
 * A batch job that creates a customer for every client that has none. The job can be stopped on its own screen or in
 * the job list.
 */
export const customerBatch = resource({
  type: 'CustomerBatch',
  service: 'financial',
  path: 'customer_batches',
  table: 'run',
  only: { kind: 'billing.customer-batch' },
  tenant: 'own',
  order: ['-id'],
  fields: {
    dryRun: flag({ readonly: true, inJson: 'input' }),
    state: choice(JOB_STATES, { readonly: true, filter: true }),
    clientsTotal: integer({ readonly: true, column: 'total', label: 'Clients without a customer' }),
    clientsRead: integer({ readonly: true, column: 'seen', label: 'Checked' }),
    created: integer({ readonly: true, column: 'done' }),
    refused: integer({ readonly: true }),
    author: text({ person: true, readonly: true }),
    error: text({ readonly: true }),
    createdAt: instant({ readonly: true, order: true }),
    finishedAt: instant({ readonly: true }),
  },
  allow: { read: BILLING_ADMIN_ROLE },
  state: 'state',
  actions: {
    stop: {
      path: 'stop',
      title: 'Stop after the current client',
      allow: BILLING_ADMIN_ROLE,
      from: ['queued', 'running'],
      input: {},
    },
    resume: {
      path: 'resume',
      title: 'Resume',
      allow: BILLING_ADMIN_ROLE,
      from: ['stopped', 'failed'],
      input: {},
    },
  },
})

/** A client for which no customer was created, and the reason. */
export const customerBatchLine = resource({
  type: 'CustomerBatchLine',
  service: 'financial',
  path: 'customer_batch_lines',
  table: 'run_refusal',
  tenant: 'own',
  order: ['id'],
  fields: {
    batch: link(() => customerBatch, { column: 'run_id', readonly: true, filter: true }),
    /** Client number. */
    client: integer({ column: 'line', readonly: true, filter: true }),
    company: text({ column: 'about', readonly: true }),
    message: text({ column: 'reason', readonly: true }),
    code: text({ readonly: true }),
  },
  allow: { read: BILLING_ADMIN_ROLE, rows: [{ unless: 'nobody', only: only.ofReadable('batch') }] },
})
