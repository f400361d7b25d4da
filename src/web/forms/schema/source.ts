import { flag, text } from '#kernel/fields.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { useRecordChoices } from '../use-choices.ts'

type Source = NonNullable<FormField['source']>

const targets = new Map<string, Resource>()

/** Converts a list named in a schema to a resource for the inputs. The resource is searched by its label. */
export function choiceSourceResource({ url, label }: Source): Resource {
  const key = `${url} ${label}`
  const known = targets.get(key)
  if (known) return known
  const [, , service = '', ...path] = url.split('/')
  const made: Resource = resource({
    type: 'Choice',
    service,
    path: path.join('/'),
    table: '',
    tenant: 'own',
    title: label,
    fields: { [label]: text({ filter: 'partial' }), retired: flag({ filter: true }) },
    allow: {},
  })
  targets.set(key, made)
  return made
}

/** Returns the value to store for a chosen record: the record's IRI, or its ID if the schema says so. */
export const storedChoiceValue = (source: Source | undefined, iri: string | null): unknown =>
  iri === null || !source?.value ? iri : idFromAnyIri(iri)

const NOWHERE: Source = { url: '/api/none/none', label: 'name' }

/** Returns the texts to choose from: the field's options, or the names of a list's records. */
export function useOptionLabels(field: FormField, typed: string): readonly string[] {
  const { choices } = useRecordChoices(choiceSourceResource(field.source ?? NOWHERE), typed, field.source !== undefined)
  return field.options?.map((o) => o.label) ?? [...new Set(choices.map((c) => c.name))]
}
