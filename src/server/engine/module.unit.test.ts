import { describe, expect, test } from 'vitest'
import { link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { defineEmail } from '#kernel/system-email.ts'
import { behaviour } from './behaviour.ts'
import { feature, joinFeatures } from './module.ts'
import { Registry } from './registry.ts'
import type { Route } from './route.ts'
import type { Engine } from './types.ts'

const of = (name: string) =>
  resource({ type: name, service: 'test', path: name, table: name, tenant: 'own', fields: {}, allow: {} })
const [crate, shelf] = [of('Crate'), of('Shelf')]
const route = (path: string, allow: Route['allow']): Route => ({
  method: 'GET',
  path,
  title: path,
  allow,
  handle: () => ({}),
})
const part = (name: string) => ({ name, tell: async () => {} })

describe('a module', () => {
  test('a module combines the lists of its features in the order of the features', () => {
    const module = joinFeatures('stock', [
      feature({ resources: [crate], routes: [route('/a', 'member')] }),
      feature({}),
      feature({ resources: [shelf], routes: [route('/b', 'member')] }),
    ])
    expect([module.name, module.resources]).toEqual(['stock', [crate, shelf]])
    expect(module.routes?.map((r) => r.path)).toEqual(['/a', '/b'])
  })

  test('a module lists the screens of all features, even those with the same name', () => {
    const screen = (path: string) =>
      feature({
        navigation: { advert: { path, title: path, area: 'People', icon: 'info', order: 1, allow: 'member' } },
      })
    const { navigation } = joinFeatures('stock', [screen('/a'), screen('/b')])
    expect(Object.values(navigation ?? {}).map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(() => joinFeatures('stock', [screen('/a'), screen('/a')])).toThrow('register the same screen')
  })

  test('a module assigns a feature’s pack to the feature’s routes, except to routes without sign-in', () => {
    const { routes } = joinFeatures('stock', [
      feature({ pack: 'safety', routes: [route('/a', 'member'), route('/b', 'anonymous')] }),
      feature({ routes: [route('/c', 'member')] }),
    ])
    expect(routes?.map((r) => r.pack)).toEqual(['safety', undefined, undefined])
  })

  test('a module loads the seed data of its features only on demand', async () => {
    let loaded = 0
    const load = (name: string) => async () => {
      loaded++
      return { seeds: [part(name)] }
    }
    const { seeds } = joinFeatures('stock', [feature({ seeds: load('a') }), feature({}), feature({ seeds: load('b') })])
    expect(loaded).toBe(0)
    expect((await seeds?.())?.seeds.map((seed) => seed.name)).toEqual(['a', 'b'])
  })

  test('a module rejects features that register the same item', () => {
    const twice =
      (f: Parameters<typeof feature>[0], g = f) =>
      () =>
        joinFeatures('stock', [feature(f), feature(g)])
    expect(twice({ resources: [crate] })).toThrow('Two features of stock register the same resource')
    expect(twice({ routes: [route('/a', 'member')] }, { routes: [route('/a', 'anonymous')] })).toThrow('the same route')
    expect(twice({ behaviours: [behaviour(crate, {})] }, { behaviours: [behaviour(crate, {})] })).toThrow(
      'the same behaviour',
    )
  })

  test('e-mails in two different modules can’t have the same name', () => {
    const greeting = (title: string) =>
      joinFeatures(title, [
        feature({
          emails: [defineEmail({ name: 'hello', title, subject: () => title, paragraphs: () => [], sample: {} })],
        }),
      ])
    expect(() => new Registry({} as Engine, [greeting('stock'), greeting('sales')])).toThrow(
      'Two e-mails are called "hello"',
    )
  })

  test('a confidential field can be neither embedded nor searched, because such reads would not be logged', () => {
    const base = { service: 'test', tenant: 'own', allow: {} } as const
    const illness = text({ confidential: 'ROLE_NURSE' })
    const patient = resource({ ...base, type: 'Patient', path: 'patients', table: 'patient', fields: { illness } })
    const visit = resource({
      ...base,
      type: 'Visit',
      path: 'visits',
      table: 'visit',
      fields: { patient: link(() => patient, { embed: ['illness'] }) },
    })
    expect(
      () => new Registry({} as Engine, [joinFeatures('ward', [feature({ resources: [patient, visit] })])]),
    ).toThrow('Visit.patient embeds a confidential field')
    const found = text({ confidential: 'ROLE_NURSE', search: true })
    expect(() => resource({ ...base, type: 'Nurse', path: 'nurses', table: 'nurse', fields: { found } })).toThrow(
      "Nurse.found: a confidential field can't be searched",
    )
  })
})
