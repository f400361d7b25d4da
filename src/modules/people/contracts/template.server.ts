import { problem, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { contractMailing } from './contract-mailing.ts'
import { contractTemplate, contractTemplateVersion } from './contract-template.ts'
import { contractTextError } from './merge-fields.ts'

const TEXT_FIELDS = ['name', 'body', 'writtenStatement'] as const

export const templateBehaviour = behaviour(contractTemplate, {
  beforeSave: ({ before, changes, values, now }) => {
    const wrong = changes.body === undefined ? undefined : contractTextError(values.body ?? '')
    if (wrong) throw problem.invalid([violation('body', wrong)])
    if (!before) return { createdAt: now.toString() }
    return TEXT_FIELDS.some((name) => name in changes) ? { version: before.version + 1 } : undefined
  },
  afterSave: async (c) => {
    if (c.before && c.changes.version === undefined) return
    const { id, name, body, writtenStatement, version } = await c.written.saved()
    await c.withoutPermissionCheck('each change of a template is stored as a version').create(contractTemplateVersion, {
      template: id,
      version,
      name,
      body,
      writtenStatement,
      createdAt: c.now.toString(),
    })
  },
})

/** A template stays while joiners of a group get it. */
export const templateGuard = guard(contractTemplate, {
  retire: async (c, { id }) => {
    if (await c.exists(contractMailing, { template: id, joiners: true, retired: false }))
      throw problem.conflict('Joiners get contracts from this template. Stop sending to them first.', 'in_use')
  },
})
