import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { customForm } from '../custom-forms/custom-form.ts'
import { formSchedule } from './form-schedule.ts'

/** Number of days until the next scaffold check. */
const AHEAD = 6

/** Creates the schedule of a demo builder's weekly scaffold check. */
async function createFormScheduleDemo(engine: Engine): Promise<void> {
  const at = engine.clock.now().subtract({ hours: 2 })
  await seedAsUser(engine, { clientId: 1, username: 'admin.brick', at }, async (c) => {
    const [worker] = await c.find(user, { username: 'worker.brick' })
    const forms = await c.find(customForm, { title: 'Weekly scaffold check', live: true, retired: false })
    const form = forms.find((one) => one.clientId === c.clientId)
    if (!worker || !form)
      throw new Error('The demo company has no published form, or the user to complete it is missing')
    const startsOn = londonDate(at).add({ days: AHEAD }).toString()
    await c.create(formSchedule, { form: form.id, user: worker.id, every: 'week', startsOn, place: 'Kelham Works' })
  })
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'planned forms', needs: ['custom forms'], tell: createFormScheduleDemo },
]
