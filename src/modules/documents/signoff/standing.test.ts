import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestResponse, type TestUser, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const portal = await testPortal()
const TALKS = '/api/safety/toolbox_talks'
const REQUESTS = '/api/safety/sign_offs'

/**
 * Random events for a document number and its people. Some events specify a person by index, modulo the number of
 * people.
 */
type SignoffEvent =
  | { readonly do: 'material' | 'minor' | 'everybody' | 'join' | 'narrow' | 'widen' }
  | { readonly do: 'ask' | 'sign' | 'excuse' | 'leave' | 'return' | 'lose'; readonly who: number }

const person = fc.nat({ max: 3 })
const step: fc.Arbitrary<SignoffEvent> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask' as const), who: person }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sign' as const), who: person }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('excuse', 'leave', 'return', 'lose'), who: person }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('material', 'minor', 'everybody', 'join') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('narrow', 'widen') }) },
)

const FOREMAN = 'ROLE_RISK_CREATE_UNRESTRICTED'

interface Person {
  readonly user: TestUser
  /** True if the person may read documents for foremen only. */
  readonly foreman: boolean
  here: boolean
  reads: boolean
  chosen: boolean
  excused: boolean
  /** Last revision that the person signed; 0 for none. */
  signed: number
  /** True if the person has ever been asked. */
  known: boolean
}

const rolesOf = (foreman: boolean) => ['ROLE_EMPLOYEE', ...(foreman ? [FOREMAN] : [])]

test('the right people are asked to sign after any sequence of requests, signatures, approvals and changes of staff or audience', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18 }), async (steps) => {
      const client = await portal.client()
      const author = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN', 'ROLE_USER_ADMIN'], name: 'Boss' }))
      const people: Person[] = []
      const hire = async () => {
        const foreman = people.length % 2 === 1
        const user = await client.user({ roles: rolesOf(foreman) })
        people.push({ user, foreman, here: true, reads: true, chosen: false, excused: false, signed: 0, known: false })
      }
      for (let n = 0; n < 3; n++) await hire()
      const post = async (url: string, body: Record<string, unknown> = {}) => {
        const answer: TestResponse = await author.post(url, body)
        expect([200, 201, 409, 422], answer.text).toContain(answer.status)
        return answer
      }
      // Changes a user by SQL, so that sessions survive retirement. Drops cached tokens, as every other change to a
      // user does.
      const set = async (p: Person, column: string, value: unknown) => {
        await portal.db.tx('system', (tx) =>
          tx.rows(`UPDATE user_account SET ${column} = $3 WHERE client_id = $1 AND id = $2`, [
            client.id,
            p.user.id,
            value,
          ]),
        )
        portal.sessions.forget()
      }
      let doc = (await post(TALKS, { title: 'T', points: [{ text: 'x' }], complete: true, approved: true })).body
      const about = () => `/api/safety/documents/${doc.id}`
      let [revision, held, everybody, narrow] = [1, 1, false, false]
      let request = ''
      const mayRead = (p: Person) => p.reads && (p.foreman || !narrow)
      for (const s of steps) {
        const one = 'who' in s ? (people[s.who % people.length] as Person) : undefined
        if (s.do === 'join') await hire()
        else if (s.do === 'everybody' || s.do === 'ask') {
          const whom = one ? { people: [one.user.id] } : { everybody: true }
          const answer = await post(REQUESTS, { document: about(), due: '2099-01-01', ...whom })
          if (answer.status === 201) {
            request = answer.body['@id']
            if (one) Object.assign(one, { chosen: true, excused: false })
            else everybody = true
          }
        } else if (s.do === 'narrow' || s.do === 'widen') {
          narrow = s.do === 'narrow'
          doc = (await author.put(doc['@id'], { audience: narrow ? [FOREMAN] : [] })).body
        } else if (s.do === 'material' || s.do === 'minor') {
          const next = (await post(`${doc['@id']}/revise`)).body
          await post(`${next['@id']}/complete`)
          doc = (await post(`${next['@id']}/approve`, { change: s.do })).body
          revision++
          if (s.do === 'material') held = revision
        } else if (one && s.do === 'excuse' && request) {
          const answer = await post(`${request}/excuse`, { people: [one.user.id], reason: 'Away' })
          if (answer.status === 200) one.excused = true
        } else if (one && s.do === 'sign') {
          const answer = await client
            .as(one.user)
            .post('/api/safety/signatures', { document: about(), method: 'typed' })
          expect(answer.status === 201).toBe(one.here && mayRead(one) && one.signed < revision)
          if (answer.status === 201) one.signed = revision
        } else if (one && (s.do === 'leave' || s.do === 'return')) {
          one.here = s.do === 'return'
          await set(one, 'is_retired', !one.here)
        } else if (one && s.do === 'lose') {
          one.reads = !one.reads
          await set(one, 'roles', one.reads ? rolesOf(one.foreman) : ['ROLE_RESELLER'])
        }
        const meant = (p: Person) => mayRead(p) && (everybody || p.chosen)
        for (const p of people) p.known ||= p.here && meant(p)
        const expected = people
          .filter((p) => p.known)
          .map((p) => [
            p.user.id,
            p.signed >= held ? 'signed' : p.here ? (meant(p) ? (p.excused ? 'excused' : 'asked') : 'out') : 'left',
          ])
        const found = await portal.db.tx('system', (tx) =>
          tx.rows<{ id: number; state: string }>(
            `SELECT p.user_id AS id, p.state FROM sign_off_person p JOIN user_account u ON u.client_id = p.client_id AND u.id = p.user_id
             WHERE p.client_id = $1 AND u.name <> 'Boss' ORDER BY u.id`,
            [client.id],
          ),
        )
        expect(found.map((p) => [p.id, p.state])).toEqual(expected)
        const boss = everybody ? 1 : 0
        const count = (...states: string[]) =>
          expected.filter(([, state]) => states.includes(String(state))).length + boss
        const { asked, missing } = (await author.get(doc['@id'])).body
        expect([asked, missing]).toEqual([count('asked', 'signed'), count('asked')])
      }
    }),
    { numRuns: scaleRunCount(12) },
  )
})
