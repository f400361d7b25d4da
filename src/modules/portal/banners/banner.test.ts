import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makePhonePhoto, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const INFO = '/api/crm/alert_banners/17'
const PROMO = '/api/crm/alert_banners/5'
const UPLOAD = '/api/crm/alert_banners_upload'
const EMPTY = { title: '', message: '', linkTo: '', linkWords: '', audience: 'everybody', imageText: '', shown: false }
const NEVER = { from: null, until: null }
let keeper: TestApi
let staff: TestApi
let theirs: TestApi

beforeAll(async () => {
  keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const client = await portal.client()
  theirs = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
})
beforeEach(async () => {
  for (const at of [INFO, PROMO]) await keeper.put(at, { ...EMPTY, ...NEVER })
})

const shownTo = async (as: TestApi) =>
  (await as.get('/api/portal/banners')).body['hydra:member'] as { kind: string; title: string; image: string | null }[]
const send = (as: TestApi, content: Buffer | string, name: string, texts: Record<string, string> = {}) =>
  as.send('POST', UPLOAD, makeUploadForm(content, name, { banner: '5', ...texts }))

describe('the information and promotion banners', () => {
  test('staff can read the two predefined banners, and banner managers can change but not create or delete them', async () => {
    expect((await staff.get(INFO)).body).toMatchObject({ id: 17, kind: 'info', image: null })
    expect((await staff.get(PROMO)).body).toMatchObject({ id: 5, kind: 'promo' })
    expect((await staff.put(INFO, { title: 'My views' })).status).toBe(403)
    expect((await theirs.get(INFO)).status).toBe(403)
    expect((await keeper.put(INFO, { title: 'Closed on Friday', kind: 'promo' })).body).toMatchObject({
      title: 'Closed on Friday',
      kind: 'info',
    })
    for (const [method, at] of [
      ['POST', '/api/crm/alert_banners'],
      ['DELETE', INFO],
    ] as const)
      expect((await keeper.send(method, at)).status).toBe(405)
  })

  test('banners are returned only to their audience, and only on the days set for them', async () => {
    const today = Temporal.Now.zonedDateTimeISO('Europe/London').toPlainDate()
    const day = (n: number) => today.add({ days: n }).toString()
    const said = { title: 'Closed on Friday', shown: true }
    expect(await shownTo(theirs)).toEqual([])
    for (const [more, seen] of [
      [{}, true],
      [{ from: day(0), until: day(0) }, true],
      [{ from: day(2) }, false],
      [{ until: day(-2) }, false],
      [{ audience: 'staff' }, false],
      [{ audience: 'clients' }, true],
      [{ shown: false }, false],
    ] as const) {
      expect((await keeper.put(INFO, { ...EMPTY, ...NEVER, ...said, ...more })).status).toBe(200)
      expect((await shownTo(theirs)).map((b) => b.title)).toEqual(seen ? [said.title] : [])
    }
    expect((await portal.anonymous.get('/api/portal/banners')).status).toBe(401)
  })

  test.each([
    ['until', { title: 'A', from: '2026-12-02', until: '2026-12-01' }],
    ['linkTo', { title: 'A', linkWords: 'Details' }],
    ['linkWords', { title: 'A', linkTo: '/help' }],
    ['linkTo', { title: 'A', linkTo: 'javascript:alert(1)', linkWords: 'Details' }],
    ['linkTo', { title: 'A', linkTo: '//elsewhere.example', linkWords: 'Details' }],
    ['title', { shown: true }],
  ])('a banner update with an invalid %s is rejected at that field: %j', async (at, body) => {
    const { status, body: said } = await keeper.put(INFO, body)
    expect([status, said.violations.map((v: { propertyPath: string }) => v.propertyPath)]).toEqual([422, [at]])
  })
})

describe('a banner picture', () => {
  test('a banner picture is re-encoded, shown with its alternative text, and deleted when removed', async () => {
    const sent = await send(keeper, await makePhonePhoto(), 'photo.jpg', { imageText: 'Red beside blue' })
    expect([sent.status, sent.body.id, sent.body.imageText]).toEqual([201, 5, 'Red beside blue'])
    const first = sent.body.image as string
    expect((await theirs.get(first)).status).toBe(404)
    await keeper.put(PROMO, { title: 'New course', shown: true })
    const [seen] = await shownTo(theirs)
    expect(seen).toMatchObject({ kind: 'promo', image: first })
    const { status, raw, headers } = await theirs.get(first)
    expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff'])
    const made = await sharp(raw).metadata()
    // The picture is upright and has no location metadata.
    expect([made.width, made.height, made.exif]).toEqual([20, 40, undefined])
    const second = (await send(keeper, await makePicture(300, 100).png().toBuffer(), 'wide.png')).body.image
    expect(second).not.toBe(first)
    expect((await portal.anonymous.get(second)).status).toBe(401)
    expect((await keeper.post(`${PROMO}/remove_picture`, {})).body.image).toBeNull()
    expect((await staff.get(second)).status).toBe(404)
  })

  test.each([
    ['a text file', 'Not a picture', 'notes.txt'],
    ['a text file with a .png extension', 'Not a picture', 'photo.png'],
    ['a PDF', MINIMAL_PDF, 'paper.pdf'],
    ['an SVG drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'logo.svg'],
    ['a truncated PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'broken.png'],
    ['nothing', '', 'empty.png'],
  ])(
    'a banner picture that is %s is rejected with a message, and the previous picture remains',
    async (_, content, name) => {
      const before = (await send(keeper, await makePicture(60, 40).png().toBuffer(), 'was.png')).body.image
      const { status, body } = await send(keeper, content, name)
      expect(status).toBe(422)
      expect(body.detail).toMatch(/picture|empty|paper\.pdf|logo\.svg|notes\.txt/)
      expect((await staff.get(PROMO)).body.image).toBe(before)
      expect((await staff.get(before)).status).toBe(200)
    },
  )

  test('a banner picture of more than 10 MB is rejected with the limit in the message, and the previous picture remains', async () => {
    const small = await makePicture(60, 40).png().toBuffer()
    const before = (await send(keeper, small, 'was.png')).body.image
    const large = Buffer.concat([small, Buffer.alloc(10 * 1024 * 1024)])
    const { status, body } = await send(keeper, large, 'large.png')
    expect([status, body.detail]).toEqual([413, expect.stringMatching(/"?large\.png"? .*10 MB/)])
    expect((await staff.get(PROMO)).body.image).toBe(before)
  })

  test('only banner managers can upload pictures, and only for an existing banner', async () => {
    const bytes = await makePicture(60, 40).png().toBuffer()
    expect((await send(staff, bytes, 'a.png')).status).toBe(403)
    expect((await send(keeper, bytes, 'a.png', { banner: '6' })).status).toBe(404)
    expect((await send(keeper, bytes, 'a.png', { banner: '' })).status).toBe(422)
  })
})
