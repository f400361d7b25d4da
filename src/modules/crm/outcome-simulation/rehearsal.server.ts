import { problem } from '#kernel/errors.ts'
import { choice, flag, integer, link } from '#kernel/fields.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import { feature } from '#server/engine/module.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { recordedCall } from '../calls/call.ts'
import { contact } from '../contacts/contact.ts'
import { callOutcome, OUTCOME_EFFECTS } from '../outcomes/outcome.ts'
import {
  OUTCOME_SIMULATION_URL,
  SIMULATED_CALL_COUNT,
  SIMULATION_EXPLANATION,
  simulateOutcomeChange,
} from './rehearse.ts'

/** Route that simulates the effect of a changed outcome on recent calls without saving anything. */
const outcomeSimulationRoute = routeWithInput(
  {
    outcome: link(() => callOutcome, { required: true }),
    effect: choice(OUTCOME_EFFECTS),
    interval: integer({ min: 1 }),
    unit: choice(['days', 'months']),
    workingDays: flag({ default: true }),
  },
  {
    method: 'POST',
    path: OUTCOME_SIMULATION_URL,
    title: 'Simulate a changed outcome with the last 500 calls, by day',
    allow: 'ROLE_LEADS_ADMIN',
    handle: async ({ engine, me, input }) => {
      const query = { retired: 'false', 'order[createdAt]': 'desc' }
      const { members } = await engine.list(
        recordedCall,
        me,
        query,
        { limit: SIMULATED_CALL_COUNT, offset: 0 },
        { count: false },
      )
      return engine.readIn(me.clientId, 'the simulation reads where leads are located', async (c) => {
        const rules = new Map((await c.find(callOutcome, {})).map((row) => [row.id, row]))
        const rule = rules.get(input.outcome)
        if (!rule) throw problem.notFound()
        const leads = await c.find(contact, { id: [...new Set(members.map((m) => m.contact.id))] })
        const places = new Map(leads.map((l) => [l.id, l.postcode]))
        const calls = members.map((m) => ({
          at: Temporal.Instant.from(m.createdAt),
          result: m.lastResult?.id ?? 0,
          notes: m.notes,
          nation: ukNationForPostcode(places.get(m.contact.id)),
        }))
        const { effect, interval, unit, workingDays } = input
        const changed = {
          ...rule,
          effect: effect ?? rule.effect,
          interval: interval ?? null,
          unit: unit ?? rule.unit,
          workingDays: workingDays ?? rule.workingDays,
        }
        const days = simulateOutcomeChange(calls, rules, changed)
        const concerned = calls.filter(({ result }) => result === rule.id).length
        return { '@id': OUTCOME_SIMULATION_URL, calls: calls.length, concerned, formula: SIMULATION_EXPLANATION, days }
      })
    },
  },
)

export const outcomeSimulation = feature({
  routes: [outcomeSimulationRoute],
})
