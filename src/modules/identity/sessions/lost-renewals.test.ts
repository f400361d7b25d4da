import { expect, test } from 'vitest'
import { browser, later, nextOf, person, renew, works } from '#test/support/browser-sessions.ts'

test('a renewal whose response was lost is repeated minutes later, and the lost token and cookie are invalid', async () => {
  const p = await person()
  const { cookie } = await browser(p)
  const lost = await renew(cookie)
  await later(p.id, 5)
  const lostAgain = await renew(cookie)
  await later(p.id, 5)
  const received = await renew(cookie)
  expect([received.status, await works(received.body.token)]).toEqual([200, true])
  expect([await works(lost.body.token), await works(lostAgain.body.token)]).toEqual([false, false])
  await later(p.id, 5)
  expect((await renew(nextOf(received))).status).toBe(200)
})

test('a thief who renews with a copied cookie loses access when its owner renews, and ends the session by trying again', async () => {
  const p = await person()
  const { cookie } = await browser(p)
  const thief = await renew(cookie)
  await later(p.id, 5)
  const owner = await renew(cookie)
  expect([owner.status, await works(thief.body.token)]).toEqual([200, false])
  await later(p.id, 5)
  expect((await renew(nextOf(thief))).status).toBe(401)
  expect((await renew(nextOf(owner))).status).toBe(401)
})

test('a thief who keeps renewing with a copied cookie ends the session when its owner renews', async () => {
  const p = await person()
  const { cookie } = await browser(p)
  const thief = await renew(nextOf(await renew(cookie)))
  await later(p.id, 5)
  expect([(await renew(cookie)).status, (await renew(nextOf(thief))).status]).toEqual([401, 401])
})

test('a browser whose renewal a thief repeats ends the session at its next renewal, even a moment later', async () => {
  const p = await person()
  const { cookie } = await browser(p)
  const own = nextOf(await renew(cookie))
  await later(p.id, 1)
  const thief = await renew(cookie)
  expect((await renew(own)).status).toBe(401)
  expect([await works(thief.body.token), (await renew(nextOf(thief))).status]).toEqual([false, 401])
})
