import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { rightToWorkCheck, rightToWorkDocument } from './right-to-work.ts'

interface DemoCheck {
  readonly person: string
  /** Number of the document in the reference list. */
  readonly document: string
  readonly method: 'manual' | 'shareCode' | 'identityService'
  /** Day of the check: a date, or days before today. */
  readonly checkedOn: string | number
  /** Days from today until the document or permission ends. */
  readonly expiresIn?: number
}

/** Checks of the demo builders. One is due in three weeks, one is overdue, and one is after the first day. */
const CHECKS: readonly DemoCheck[] = [
  { person: 'Callum Fraser', document: '1', method: 'manual', checkedOn: '2019-03-18' },
  { person: 'Nadia Rahman', document: '1', method: 'manual', checkedOn: '2020-12-14' },
  { person: 'Declan Murphy', document: '2', method: 'manual', checkedOn: '2015-10-26' },
  { person: 'Owen Price', document: '6', method: 'manual', checkedOn: '2022-07-04' },
  { person: 'Liam Young', document: '1', method: 'identityService', checkedOn: '2025-08-18', expiresIn: 2100 },
  { person: 'Anton Petrov', document: '17', method: 'shareCode', checkedOn: '2021-05-04' },
  { person: 'Kofi Mensah', document: '9', method: 'manual', checkedOn: '2019-12-16', expiresIn: -300 },
  { person: 'Kofi Mensah', document: '18', method: 'shareCode', checkedOn: 340, expiresIn: 21 },
  { person: 'Piotr Zielinski', document: '9', method: 'manual', checkedOn: '2012-02-20', expiresIn: -390 },
  { person: 'Piotr Zielinski', document: '18', method: 'shareCode', checkedOn: 400, expiresIn: -9 },
]
const CHECKER = 'Ruth Sanderson'
/** Person who checked the checker. */
const DIRECTOR = 'Fiona Reeve'
/** Employees without a check. */
const NOT_CHECKED = ['Stuart Bell', DIRECTOR]
/** Days before the first day on which the others showed a British passport. */
const DAYS_BEFORE_START = 14

const rightToWorkPart: DemoDataPart = {
  name: 'right to work',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
      const all = await c.find(employee, { retired: false })
      const people = new Map(all.map(({ name, id }) => [name, id]))
      const documents = new Map((await c.find(rightToWorkDocument, {})).map(({ code, id }) => [code, id]))
      const others = all.flatMap(({ name, extCStartDate }): DemoCheck[] => {
        if (!extCStartDate || NOT_CHECKED.includes(name) || CHECKS.some(({ person }) => person === name)) return []
        const checkedOn = Temporal.PlainDate.from(extCStartDate).subtract({ days: DAYS_BEFORE_START }).toString()
        return [{ person: name, document: '1', method: 'manual', checkedOn }]
      })
      await c.createAll(
        rightToWorkCheck,
        [...CHECKS, ...others].map(({ person, document, method, checkedOn, expiresIn }) => ({
          employee: people.get(person) ?? 0,
          document: documents.get(document) ?? 0,
          method,
          checkedBy: people.get(person === CHECKER ? DIRECTOR : CHECKER) ?? 0,
          checkedOn: typeof checkedOn === 'number' ? today.subtract({ days: checkedOn }).toString() : checkedOn,
          expiresOn: expiresIn === undefined ? null : today.add({ days: expiresIn }).toString(),
        })),
      )
    })
  },
}

export const seeds = [rightToWorkPart]
