import { choice, flag, instant, integer, json, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'

export const JOB_STATES = [
  { value: 'queued', label: 'Waiting' },
  { value: 'running', label: 'Running' },
  { value: 'stopping', label: 'Stopping' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'undoing', label: 'Undoing' },
  { value: 'undone', label: 'Undone' },
] as const

const KEEPERS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']

/**
 * A background job, such as an import, an export or a change to many records. Visible to its owner and to
 * administrators.
 */
export const batchJob = resource({
  type: 'Run',
  service: 'portal',
  path: 'runs',
  table: 'run',
  tenant: 'own',
  title: 'title',
  order: ['-id'],
  state: 'state',
  fields: {
    kind: text({ readonly: true, filter: true, label: 'Job type' }),
    title: text({ readonly: true, notNull: true, label: 'Job' }),
    state: choice(JOB_STATES, { readonly: true, filter: true }),
    done: integer({ readonly: true }),
    refused: integer({ readonly: true }),
    undone: integer({ readonly: true }),
    total: integer({ readonly: true, label: 'Total' }),
    /** Additional counts by name. */
    tally: json({ readonly: true }),
    /** True while the job is being undone. */
    back: flag({ readonly: true }),
    error: text({ readonly: true }),
    /**
     * Result file: `@id`, name, size in bytes, and the time until which it is retained. Visible only to the job's
     * owner.
     */
    file: json({ readonly: true }),
    author: text({ person: true, readonly: true, label: 'Started by' }),
    user: integer({ column: 'user_id', readonly: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, order: true, label: 'Started' }),
    startedAt: instant({ readonly: true }),
    finishedAt: instant({ readonly: true }),
  },
  allow: { read: 'member', rows: [{ unless: KEEPERS, only: only.mine('user') }] },
  actions: {
    stop: {
      path: 'stop',
      title: 'Stop after the current step',
      whileImpersonating: true,
      allow: 'member',
      from: ['queued', 'running', 'stopping'],
      input: {},
    },
    resume: {
      path: 'resume',
      title: 'Resume from where the job stopped',
      allow: 'member',
      from: ['stopped', 'failed'],
      input: {},
    },
    undo: {
      path: 'undo',
      title: 'Undo the job’s changes',
      allow: 'member',
      from: ['stopping', 'stopped', 'done', 'failed'],
      input: {},
    },
  },
})

/** An item that a job refused, with the reason. */
export const batchJobRejection = resource({
  type: 'RunRefusal',
  service: 'portal',
  path: 'run_refusals',
  table: 'run_refusal',
  tenant: 'own',
  order: ['id'],
  fields: {
    run: link(() => batchJob, { readonly: true, filter: true }),
    /** Line number, if the item is a line in a file; otherwise the item is a record. */
    line: integer({ readonly: true }),
    about: text({ readonly: true, label: 'Item' }),
    reason: text({ readonly: true }),
    code: text({ readonly: true, help: 'Error code; empty for lines in files.' }),
  },
  allow: { read: 'member', rows: [{ unless: KEEPERS, only: only.ofReadable('run') }] },
})
