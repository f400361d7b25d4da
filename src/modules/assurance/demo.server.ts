import { londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { equipmentCategory } from './equipment/category.ts'
import { equipmentCheck, requiredCheck } from './equipment/check.ts'
import { equipmentItem } from './equipment/item.ts'

interface DemoItem {
  readonly name: string
  /** Beginning of the name of its category. */
  readonly category: string
  readonly maker?: string
  readonly serialNumber?: string
  readonly safeWorkingLoad?: string
  readonly holder?: string
  /** Days ago on which it was checked last. */
  readonly checked: number
  /** Defects of a check that it failed three days ago. */
  readonly failed?: string
}

const ITEMS: readonly DemoItem[] = [
  {
    name: 'Excavator, 13 t',
    category: 'Lifting equipment for loads',
    maker: 'Kobo',
    serialNumber: 'KX-130-2207',
    safeWorkingLoad: '2.5 t at 5 m',
    holder: 'Kofi Mensah',
    checked: 345,
  },
  {
    name: 'Chain sling, two legs',
    category: 'Lifting accessory',
    serialNumber: 'CS-8841',
    safeWorkingLoad: '3.15 t',
    holder: 'Kofi Mensah',
    checked: 100,
    failed: 'One link is worn below its limit. The identification plate is missing.',
  },
  { name: 'Mobile tower, 6 m', category: 'Working platform', checked: 5, holder: 'Anton Petrov' },
  { name: 'Safety harness 4', category: 'Personal fall protection', checked: 60, holder: 'Anton Petrov' },
  { name: 'Stepladder, 8 treads', category: 'Ladder and stepladder', checked: 40, holder: 'Callum Fraser' },
  { name: 'Fire extinguisher, site office', category: 'Fire extinguisher', checked: 200 },
  { name: 'Angle grinder, 110 V', category: 'Hand tool on a construction site', maker: 'Makro', checked: 40 },
]

const PURCHASED_DAYS_AGO = 900
const FAILED_DAYS_AGO = 3

const equipmentPart: DemoDataPart = {
  name: 'equipment',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    const ago = (days: number) => today.subtract({ days }).toString()
    await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
      const categories = await c.find(equipmentCategory, {})
      const people = await c.find(employee, { retired: false })
      for (const { category, holder, checked, failed, ...values } of ITEMS) {
        const { id } = await (
          await c.create(equipmentItem, {
            ...values,
            category: categories.find(({ name }) => name.startsWith(category))?.id ?? null,
            holder: people.find(({ name }) => name === holder)?.id ?? null,
            purchasedOn: ago(PURCHASED_DAYS_AGO),
          })
        ).saved()
        const [required] = await c.find(requiredCheck, { item: id })
        const check = { item: id, requiredCheck: required?.id ?? null, result: 'passed' as const }
        await c.create(equipmentCheck, { ...check, checkedOn: ago(checked) })
        if (!failed) continue
        const failure = { ...check, result: 'failed' as const, defects: failed, checkedOn: ago(FAILED_DAYS_AGO) }
        await c.create(equipmentCheck, failure)
      }
    })
  },
}

export const seeds = [equipmentPart]
