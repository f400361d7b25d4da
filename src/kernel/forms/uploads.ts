/** An uploaded file of an answer, with its caption; without one, its file name is shown. */
export interface AnswerUpload {
  readonly '@id': string
  readonly label?: string
}

/** Maximum characters of a caption, which is printed in two lines below a picture. */
export const MAX_CAPTION_LENGTH = 200

/** Returns the files of an answer, from IRIs or records with a label. */
export const uploadsInAnswer = (value: unknown): AnswerUpload[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return one ? [{ '@id': one }] : []
    if (one === null || typeof one !== 'object' || !('@id' in one) || typeof one['@id'] !== 'string') return []
    const label = 'label' in one && typeof one.label === 'string' ? one.label : ''
    return [{ '@id': one['@id'], ...(label.trim() ? { label } : {}) }]
  })

/** Returns a file as stored in an answer: its IRI, with a label if it has one. */
export const toStoredUpload = ({ '@id': iri, label }: AnswerUpload): string | AnswerUpload =>
  label ? { '@id': iri, label } : iri
