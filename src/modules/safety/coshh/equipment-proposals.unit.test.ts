import { expect, test } from 'vitest'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import data from '../../../../db/reference/coshh-equipment.json' with { type: 'json' }
import templates from '../../../../db/reference/coshh-templates.json' with { type: 'json' }
import industries from '../../../../db/reference/industries.json' with { type: 'json' }
import library from '../../../../db/reference/ppe.json' with { type: 'json' }
import supplied from '../../../../db/reference/substances.json' with { type: 'json' }
import { PHYSICAL_FORMS } from '../substances/banding.ts'
import type { CoshhEquipment } from './equipment.ts'
import {
  addProposedEquipment,
  findEquipmentInLibrary,
  isProposalWorn,
  proposeEquipment,
} from './equipment-proposals.ts'
import { COSHH_CONTROL_HIERARCHY, coshhForm } from './form.ts'
import { proposeApproachForSubstanceUse, type SubstanceUse } from './substances-used.ts'

const items: CoshhEquipment[] = library.items.map(({ id, label, standard, image }) => ({
  id,
  label,
  coshhValue: '',
  standard: standard ?? '',
  image,
}))
const proposed = (...used: SubstanceUse[]) =>
  proposeEquipment(used, items).map(({ name, detail }) => `${name}: ${detail}`)
const suppliedOne = (name: string, more: SubstanceUse = {}): SubstanceUse => {
  const found = supplied.substances.find((one) => one.name.startsWith(name))
  if (!found) throw new Error(`No substance is called "${name}"`)
  const { hazardStatements, routes, form } = found
  const unclassified = 'unclassified' in found
  return { name: found.name, hazardStatements, routes, form, unclassified, ...more }
}

test.each([
  ['Wet cement', ['chemical gloves: Alkali-resistant nitrile', 'goggles: Against splashes', 'waterproofs']],
  ['Bleach', ['chemical gloves: Usually nitrile', 'goggles']],
  ['Acidic toilet cleaner', ['chemical gloves: Neoprene', 'goggles', 'apron']],
  ['Heavy-duty oven cleaner', ['chemical gloves: Nitrile, neoprene or butyl', 'goggles', 'apron']],
  ['Isocyanate two-pack spray paint', ['chemical gloves: Nitrile', 'air-fed', 'coverall']],
  ['Expanding foam', ['chemical gloves: Nitrile', 'goggles', 'half mask', 'gas filter: Type A2P3']],
  ['Cellulose thinners', ['chemical gloves: Butyl', 'glasses', 'half mask', 'gas filter: Type A (organic']],
  ['Respirable crystalline silica', ['FFP3', 'coverall']],
  ['Gypsum plaster dust', ['FFP2']],
  ['Flour dust', ['FFP3']],
  ['Mild steel welding fume', ['FFP3: As well as extraction']],
  ['Water-based emulsion', ['chemical gloves']],
  ['LPG', ['cold gloves']],
  ['Refrigerant', ['cold gloves']],
  ['Blood', ['disposable gloves', 'face shield']],
])('the right protective equipment is proposed for %s', (name, expected) => {
  const got = proposed(suppliedOne(name))
  expect(got.map((one, i) => one.slice(0, expected[i]?.length ?? one.length))).toEqual(expected)
})

test('breathing protection differs for vapour and dust, and is not needed for a liquid of low volatility', () => {
  const toxic = { name: 'Something', hazardStatements: ['H331'] }
  const breathing = (more: SubstanceUse) =>
    proposeEquipment([{ ...toxic, ...more }], items)
      .map(({ name }) => name)
      .filter((name) => !/glove/.test(name))
  expect(breathing({ form: 'powder' })).toEqual(['FFP3'])
  expect(breathing({ form: 'dust' })).toEqual(['FFP3'])
  expect(breathing({ form: 'liquid', level: 'high' })).toEqual(['half mask', 'gas filter'])
  expect(breathing({ form: 'liquid', level: null })).toEqual(['half mask', 'gas filter'])
  expect(breathing({ form: 'liquid', level: 'low' })).toEqual([])
  expect(breathing({ form: 'gas' })).toEqual(['full mask', 'gas filter'])
  expect(breathing({ form: 'liquid', level: 'medium', hazardStatements: ['H330'] })).toEqual([
    'full mask',
    'gas filter',
  ])
  expect(breathing({ form: 'mist', hazardStatements: ['H334'], name: 'Clearcoat' })).toEqual(['air-fed', 'coverall'])
})

test('chemical gloves and goggles, never general gloves or glasses, are proposed for every corrosive substance in any form', () => {
  for (const { value: form } of PHYSICAL_FORMS)
    for (const code of ['H314', 'H318', 'H314+H318'])
      if (!['gas', 'vapour', 'fume', 'biological'].includes(form)) {
        const names = proposeEquipment([{ name: 'X', form, hazardStatements: [code] }], items).map(({ name }) => name)
        expect([
          form,
          code,
          names.includes('chemical gloves'),
          names.includes('goggles'),
          names.includes('glasses'),
        ]).toEqual([form, code, true, true, false])
      }
})

test('the same item for two substances is proposed once, with both reasons', () => {
  const [gloves] = proposeEquipment(
    [
      { name: 'Cleaner', form: 'liquid', hazardStatements: ['H315', 'H318'] },
      { form: 'liquid', hazardStatements: ['H317'] },
    ],
    items,
  )
  expect(gloves).toMatchObject({
    label: 'Chemical-resistant gloves',
    standard: 'EN ISO 374-1',
    reasons: ['Cleaner (H315, H318)', 'Substance 2 (H317)'],
  })
})

test('a proposal is added only once, and an item that is already listed gets the proposal’s detail', () => {
  const [gloves, goggles] = proposeEquipment([suppliedOne('Bleach')], items)
  if (!gloves || !goggles) throw new Error('No proposals')
  expect(isProposalWorn([], gloves)).toBe(false)
  const once = addProposedEquipment([], gloves)
  expect(once).toMatchObject([{ id: gloves.item?.id, detail: gloves.detail }])
  expect([addProposedEquipment(once, gloves), isProposalWorn(once, gloves), isProposalWorn(once, goggles)]).toEqual([
    once,
    true,
    false,
  ])
  const [acid] = proposeEquipment([suppliedOne('Acidic toilet cleaner')], items)
  if (!acid) throw new Error('No proposal')
  expect(addProposedEquipment(once, acid)).toMatchObject([{ detail: `${gloves.detail} ${acid.detail}` }])
})

test('a proposal without an item in the library is shown with its standard, and can’t be added', () => {
  const [gloves] = proposeEquipment([suppliedOne('Bleach')], [])
  if (!gloves) throw new Error('No proposal')
  expect(gloves).toMatchObject({ label: 'Chemical-resistant gloves', standard: 'EN ISO 374-1' })
  expect([gloves.item, addProposedEquipment([], gloves), isProposalWorn([], gloves)]).toEqual([undefined, [], false])
})

test('every proposed item is in the supplied library, and every rule has a known form and a source', () => {
  const forms = PHYSICAL_FORMS.map(({ value }) => value)
  for (const { item } of data.items)
    expect([item, findEquipmentInLibrary(item, items)?.label]).toEqual([item, expect.any(String)])
  for (const rule of data.rules) {
    expect(rule.source).not.toBe('')
    for (const form of rule.forms ?? []) expect(forms).toContain(form)
    for (const [item, detail] of rule.propose) {
      expect(data.items.map((one) => one.item)).toContain(item)
      expect(detail).not.toBe('')
    }
  }
})

test('every supplied template uses supplied substances, decides each approach and names only proposed equipment', () => {
  const tiers = COSHH_CONTROL_HIERARCHY.map(({ value }) => String(value))
  const options = (name: string) =>
    formFieldsIn(coshhForm)
      .find((field) => field.name === name)
      ?.options?.map(({ value }) => value) ?? []
  expect(templates.templates.length).toBeGreaterThanOrEqual(40)
  expect(new Set(templates.templates.map(({ name }) => name)).size).toBe(templates.templates.length)
  for (const { name, industry, substances, controls, ppe, frequency, duration, groups } of templates.templates) {
    expect([name, industries.includes(industry)]).toEqual([name, true])
    expect([name, options('frequency').includes(frequency), options('duration').includes(duration)]).toEqual([
      name,
      true,
      true,
    ])
    expect([name, groups.filter((one) => !options('groupsAffected').includes(one))]).toEqual([name, []])
    expect([name, controls.filter(([tier]) => !tiers.includes(tier ?? ''))]).toEqual([name, []])
    const rows = substances.map(({ of, ...use }): SubstanceUse => ({ ...suppliedOne(of), ...use }))
    for (const [i, row] of rows.entries()) {
      const { other, reason } = substances[i] as { other?: number; reason?: string }
      const isDecided = other ? Boolean(reason) : proposeApproachForSubstanceUse(row).approach !== '?'
      expect([name, row.name, isDecided]).toEqual([name, row.name, true])
    }
    const offered = proposeEquipment(rows, items).map((one) => one.name)
    expect([name, ppe.filter((one) => !offered.includes(one))]).toEqual([name, []])
    const corrosive = rows.some((row) => row.hazardStatements?.some((code) => ['H314', 'H318'].includes(code)))
    const worn: readonly string[] = ppe
    const lacks = corrosive ? ['goggles', 'chemical gloves'].filter((one) => !worn.includes(one)) : []
    expect([name, lacks]).toEqual([name, []])
  }
})

test('every supplied template with a sensitiser includes health surveillance', () => {
  const without = templates.templates.filter(({ substances, surveillance }) => {
    const codes = substances.flatMap(({ of }) => suppliedOne(of).hazardStatements ?? [])
    return surveillance !== 'yes' && codes.some((code) => /^H(317|334)$/.test(code))
  })
  expect(without.map(({ name }) => name)).toEqual([])
})
