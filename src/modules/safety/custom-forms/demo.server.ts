import type { Values } from '#kernel/forms/visible.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { customForm, customFormAnswer } from './custom-form.ts'

const SCAFFOLD = 'Weekly scaffold check'
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

/** Creates a company's copy of a provider's form, and the forms that the company completed each week. */
async function createCustomFormsDemo(engine: Engine): Promise<void> {
  const ago = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
  const id = await seedAsUser(engine, { clientId: 1, username: 'admin.brick', at: ago(20) }, async (c) => {
    const from = (await c.find(customForm, { title: SCAFFOLD })).find((form) => form.clientId === PROVIDER_CLIENT_ID)
    if (!from) throw new Error(`There is no form "${SCAFFOLD}"`)
    const { title, notes, schema } = from
    const made = await (await c.create(customForm, { title, notes, schema, copiedFrom: title })).saved()
    await c.act(customForm, 'publish', made.id, {})
    return made.id
  })
  for (const { days, by, name, said } of WEEKS)
    await seedAsUser(engine, { clientId: 1, username: by, at: ago(days) }, async (c) => {
      const form = await c.get(customForm, id)
      const signature = { name, method: 'typed', strokes: [], width: 0, height: 0 }
      const all = Object.fromEntries(CHECKS.map((check) => [check, 'ok']))
      const answers = { site: 'Kelham Works, Unit 4', place: 'North face', tag: 'KW-07', ...all, ...said, signature }
      await c.create(customFormAnswer, { form: id, version: form?.current ?? 0, answers })
    })
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'custom forms', needs: ['policies'], tell: createCustomFormsDemo },
]
