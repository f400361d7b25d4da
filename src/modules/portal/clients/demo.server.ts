import type { ValuesOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { client } from './client.ts'

type Company = ValuesOf<typeof client>

/** Demo companies. Their order determines their IDs, which start at 1. */
const COMPANIES: readonly Company[] = [
  {
    company: 'Brick & Beam Construction Ltd',
    address1: '5 Furnace Hill',
    city: 'Sheffield',
    county: 'South Yorkshire',
    postcode: 'S3 7AF',
    contactname: 'Priya Shah',
    contacttel: '01632 960101',
    contactemail: 'office@brick-beam-construction.example',
  },
  {
    company: 'Willow Court Care Homes Ltd',
    address1: '18 Lansdown Terrace',
    city: 'Bath',
    county: 'Somerset',
    postcode: 'BA1 5EF',
    contactname: 'Joanna Hughes',
    contacttel: '01632 960102',
    contactemail: 'office@willow-court-care-homes.example',
  },
  {
    company: 'Saltmarsh Foods Ltd',
    address1: '2 Dock Street',
    city: 'Ipswich',
    county: 'Suffolk',
    postcode: 'IP2 8EQ',
    contactname: 'Tomasz Nowak',
    contacttel: '01632 960103',
    contactemail: 'office@saltmarsh-foods.example',
  },
  {
    company: 'Northern Safety Partners',
    address1: '40 Collingwood Street',
    city: 'Newcastle upon Tyne',
    county: 'Tyne and Wear',
    postcode: 'NE1 1JF',
    contactname: 'Grace Walker',
    contacttel: '01632 960401',
    contactemail: 'office@northern-safety-partners.example',
    isReseller: true,
  },
  {
    company: 'Westmoor Compliance',
    address1: '7 Southernhay',
    city: 'Exeter',
    county: 'Devon',
    postcode: 'EX1 1NX',
    contactname: 'Rhys Vaughan',
    contacttel: '01632 960402',
    contactemail: 'office@westmoor-compliance.example',
    isReseller: true,
  },
]

const PROVIDERS_OWN: Company = {
  company: 'Stanchion Compliance',
  address1: '14 Wharf Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 1AA',
  regcompno: '00000000',
  registeredIn: 'england-wales',
  registeredOffice: '14 Wharf Street, Leeds, LS1 1AA',
  vatNumber: 'GB 000 0002 93',
  contacttel: '01632 960960',
  contactemail: 'hello@stanchion.example',
}

/** Pairs of client ID and reseller ID. */
const RESOLD: readonly (readonly [client: number, reseller: number])[] = [
  [2, 4],
  [3, 4],
]

/** Seeds the provider, its clients and its resellers. */
const clientsPart: DemoDataPart = {
  name: 'clients',
  tell: async (engine) => {
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, async (c) => {
      await c.change(client, PROVIDER_CLIENT_ID, PROVIDERS_OWN)
      for (const company of COMPANIES) await (await c.create(client, company)).saved()
    })
    for (const [clientId, reseller] of RESOLD)
      await seedAsUser(engine, { clientId }, (c) =>
        c.withoutPermissionCheck('assign clients to resellers').change(client, clientId, { reseller }),
      )
  },
}

export const seeds = [clientsPart]
