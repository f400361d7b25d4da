import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { fineOptionOf } from '#kernel/forms/fine.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { customForm, customFormAnswer, customFormVersion } from './custom-form.ts'

const SCAFFOLD = 'Weekly scaffold check'
const VEHICLE = 'Weekly vehicle check'
const CHECKS = ['base', 'standards', 'bracing', 'ties', 'boards', 'guardrails', 'toeboards', 'access', 'load']

/** Completed demo forms: weekly scaffold checks, one of which reports a defect. */
const WEEKS: readonly { readonly days: number; readonly by: string; readonly name: string; readonly said: Values }[] = [
  { days: 15, by: 'admin.brick', name: 'Priya Shah', said: {} },
  {
    days: 8,
    by: 'worker.brick',
    name: 'Callum Fraser',
    said: {
      ties: 'defect',
      tiesDefect:
        'One tie at the second lift was loose. Tightened by the scaffolder the same morning and checked again.',
      wind: true,
    },
  },
  { days: 1, by: 'worker.brick', name: 'Callum Fraser', said: { load: 'na' } },
]

const timeBefore = (engine: Engine, days: number) => engine.clock.now().subtract({ hours: 24 * days })

/** Creates and publishes a company's copy of a provider's form, and returns the ID of the copy. */
const copyReadyMadeForm = (engine: Engine, wanted: string): Promise<number> =>
  seedAsUser(engine, { clientId: 1, username: 'admin.brick', at: timeBefore(engine, 20) }, async (c) => {
    const from = (await c.find(customForm, { title: wanted })).find((form) => form.clientId === PROVIDER_CLIENT_ID)
    if (!from) throw new Error(`There is no form "${wanted}"`)
    const { title, notes, schema } = from
    const made = await (await c.create(customForm, { title, notes, schema, copiedFrom: title })).saved()
    await c.act(customForm, 'publish', made.id, {})
    return made.id
  })

/** Creates a vehicle check that was completed last week, with everything fine except the screenwash. */
async function createVehicleCheckDemo(engine: Engine): Promise<void> {
  const id = await copyReadyMadeForm(engine, VEHICLE)
  const at = timeBefore(engine, 7)
  await seedAsUser(engine, { clientId: 1, username: 'worker.brick', at }, async (c) => {
    const form = await c.get(customForm, id)
    const version = await c.get(customFormVersion, form?.current ?? 0)
    const schema = version?.schema as FormSchema
    const points = formFieldsIn(schema).filter((f) => fineOptionOf(f) && f.name !== 'screenwash')
    const fine = Object.fromEntries(points.map((f) => [f.name, fineOptionOf(f)?.value]))
    const answers = {
      ...fine,
      registration: 'YN23 KHW',
      mileage: 41_280,
      screenwash: 'defect',
      screenwashDefect: 'Empty. Filled from the store.',
      signature: { name: 'Callum Fraser', method: 'typed', strokes: [], width: 0, height: 0 },
    }
    const together = schema.steps.flatMap((step) => {
      const questions = formFieldsIn({ steps: [step] }).flatMap(({ name }) => (name in fine ? [name] : []))
      return questions.length ? [{ at: at.toString(), questions }] : []
    })
    await c.create(customFormAnswer, { form: id, version: form?.current ?? 0, answers, together })
  })
}

/** Creates a company's copies of the provider's forms, and the forms that the company completed each week. */
async function createCustomFormsDemo(engine: Engine): Promise<void> {
  const id = await copyReadyMadeForm(engine, SCAFFOLD)
  for (const { days, by, name, said } of WEEKS)
    await seedAsUser(engine, { clientId: 1, username: by, at: timeBefore(engine, days) }, async (c) => {
      const form = await c.get(customForm, id)
      const signature = { name, method: 'typed', strokes: [], width: 0, height: 0 }
      const all = Object.fromEntries(CHECKS.map((check) => [check, 'ok']))
      const answers = { site: 'Kelham Works, Unit 4', place: 'North face', tag: 'KW-07', ...all, ...said, signature }
      await c.create(customFormAnswer, { form: id, version: form?.current ?? 0, answers })
    })
  await createVehicleCheckDemo(engine)
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'custom forms', needs: ['policies'], tell: createCustomFormsDemo },
]
