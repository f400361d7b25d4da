import { problem, violation } from '#kernel/errors.ts'
import { isSamePersonName, parseSignature, signatureProblems } from '#kernel/signature.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { equipmentHandover } from './check.ts'
import { equipmentItem, isPresent } from './item.ts'

export const handoverBehaviour = behaviour(equipmentHandover, {
  beforeSave: async (c) => {
    const { item: id, holder = null, site = null } = c.values
    if (!id) return undefined
    const item = await c.lock(equipmentItem, id)
    if (!isPresent(item.lifecycle)) throw problem.conflict(`${item.number} is ${item.lifecycle}.`)
    if (item.fitness === 'out of service')
      throw problem.conflict(`${item.number} is out of service, so it can’t be handed over.`)
    if (!holder && !site) throw problem.invalid([violation('holder', 'Please choose a person or a site', 'required')])
    const person = holder ? await c.get(employee, holder) : undefined
    if (person?.retired) throw problem.invalid([violation('holder', 'This person has left')])
    const signature = parseSignature(c.values.signature)
    if (!signature) throw problem.invalid([violation('signature', 'Please sign', 'required')])
    const [wrong] = signatureProblems(signature)
    if (wrong) throw problem.invalid([violation('signature', wrong.message)])
    if (person && !isSamePersonName(signature.name, person.name))
      throw problem.invalid([violation('signature', `${person.name} receives the item and signs for it`)])
    return {
      fromHolder: item.holder,
      fromSite: item.site,
      signature,
      signedName: person?.name ?? signature.name,
      createdAt: c.now.toString(),
    }
  },
  afterSave: async (c) => {
    const { item: id, holder, site } = await c.written.saved()
    const item = await c.lock(equipmentItem, id)
    const lifecycle = holder && item.lifecycle === 'in store' ? 'in use' : item.lifecycle
    await c.set(equipmentItem, item, { holder, site: site ?? item.site, lifecycle }, 'hand over')
  },
})
