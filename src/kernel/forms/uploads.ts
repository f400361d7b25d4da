/** A file of an answer, and what it is called there: the caption under a picture. Without one it is called as the file is. */
export interface Upload {
  readonly '@id': string
  readonly label?: string
}

/** The longest caption: what stands beneath a picture in two lines. */
export const LONGEST_LABEL = 200

/** The files in an answer, which holds their addresses, or records with a label. */
export const uploadsIn = (value: unknown): Upload[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return one ? [{ '@id': one }] : []
    if (one === null || typeof one !== 'object' || !('@id' in one) || typeof one['@id'] !== 'string') return []
    const label = 'label' in one && typeof one.label === 'string' ? one.label : ''
    return [{ '@id': one['@id'], ...(label.trim() ? { label } : {}) }]
  })

/** A file as an answer keeps it: its address, with its label where it has one. */
export const keptUpload = ({ '@id': iri, label }: Upload): string | Upload => (label ? { '@id': iri, label } : iri)
