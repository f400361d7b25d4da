import { choice, instant, integer, json, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { JOB_STATES } from '#modules/portal/runs/run.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

export const BILLING_RUN_KIND = 'billing.renew'

/**
 * A billing run for all customers, started daily or manually. The run can be stopped on its own screen or in the job
 * list.
 */
export const billingRunRecord = resource({
  type: 'BillingRun',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'billing_runs',
  table: 'run',
  only: { kind: BILLING_RUN_KIND },
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    day: text({ readonly: true, inJson: 'input' }),
    state: choice(JOB_STATES, { readonly: true, filter: true }),
    customersTotal: integer({ readonly: true, column: 'total', label: 'Customers to invoice' }),
    customers: integer({ readonly: true, column: 'done', label: 'Invoiced' }),
    refused: integer({ readonly: true }),
    /** Number of invoiced periods: `{ periods }`. */
    tally: json({ readonly: true }),
    author: text({ person: true, readonly: true }),
    error: text({ readonly: true }),
    createdAt: instant({ readonly: true, order: true }),
    finishedAt: instant({ readonly: true }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    stop: {
      path: 'stop',
      title: 'Stop after the current customers',
      allow: FINANCE_ROLES,
      from: ['queued', 'running'],
      input: {},
    },
    resume: {
      path: 'resume',
      title: 'Resume a stopped run',
      allow: FINANCE_ROLES,
      from: ['stopped', 'failed'],
      input: {},
    },
  },
})
