import { expect, test } from 'vitest'
import { makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const [hazard, control] = makeHazards()
const reason = { ppeReason: 'Nothing else can be fitted to a live roof' }
const ppe = { ...control, tier: 'ppe' }
const toDo = { ...control, implemented: 'no' }
const said = { plannedFor: '2030-01-31', responsible: 'Site manager' }

test.each([
  [
    'protective equipment as the only control',
    [hazard, ppe],
    ['controls[0].ppeReason'],
    [{ ...hazard, ...reason }, ppe],
  ],
  [
    'a planned control',
    [hazard, toDo],
    ['controls[0].plannedFor', 'controls[0].responsible'],
    [hazard, { ...toDo, ...said }],
  ],
])(
  "a risk assessment with %s can't be completed until the required details are entered",
  async (_, controls, paths, put) => {
    const { author, draft } = await makeAssessments(await testPortal())
    const made = await draft({ controls })
    const refused = await author.post(`${made['@id']}/complete`)
    expect(refused.status).toBe(422)
    expect(refused.body.violations.map((v: { propertyPath: string }) => v.propertyPath).toSorted()).toEqual(paths)
    const better = await draft({ controls: put })
    expect((await author.post(`${better['@id']}/complete`)).status).toBe(200)
  },
)
