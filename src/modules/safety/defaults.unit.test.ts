import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { safetyModule } from './module.server.ts'

/*
 * A value that nobody entered must not look like a fact on a document. This test lists every default of the safety
 * module's records and forms that is neither empty nor zero nor false, with the reason why it is allowed.
 */

const REASONS: Readonly<Record<string, string>> = {
  'FormSchedule.every = "week"': 'chosen on the screen that creates the schedule, and not printed',
  'RamsReceived.part = 1': 'number of the file within a version, given by the portal',
  'RamsRequest.state = "requested"': 'a request that was created has been requested',
  'RiskItem.implemented = "yes"': 'start value of the specification; not printed while `implementedUnknown` is true',
  'RiskItem.implementedUnknown = true': 'states that nothing was entered',
  'RiskItem.probability = 5': 'start value of the specification; not printed until `judged` is true',
  'RiskItem.severity = 5': 'start value of the specification; not printed until `judged` is true',
  'Task.priority = 3': 'order of tasks in the library, and not printed',
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : !value

test('every default in safety records and forms that looks like an entry has a reason', () => {
  const found: string[] = []
  for (const { type, fields } of safetyModule.resources)
    for (const [name, field] of Object.entries<Field>(fields))
      if (!isEmpty(field.default)) found.push(`${type}.${name} = ${JSON.stringify(field.default)}`)
  for (const kind of safetyModule.kinds) {
    for (const field of formFieldsIn(kind.schema)) {
      if (!isEmpty(field.default)) found.push(`${kind.type} form.${field.name} = ${JSON.stringify(field.default)}`)
      for (const row of field.fields ?? [])
        if (!isEmpty(row.default))
          found.push(`${kind.type} form.${field.name}.${row.name} = ${JSON.stringify(row.default)}`)
    }
    for (const [name, value] of Object.entries(kind.blank?.() ?? {}))
      if (!isEmpty(value)) found.push(`${kind.type} blank.${name} = ${JSON.stringify(value)}`)
  }
  expect(found.toSorted()).toEqual(Object.keys(REASONS).toSorted())
})
