/** An uploaded file in an answer, with its caption. If it has no caption, its file name is shown. */
export interface AnswerUpload {
  readonly '@id': string
  readonly label?: string
}

/** Maximum length of a caption in characters. The caption is printed in two lines below a picture. */
export const MAX_CAPTION_LENGTH = 200

/** Returns the files in an answer. Accepts IRIs, and objects with an IRI and an optional label. */
export const uploadsInAnswer = (value: unknown): AnswerUpload[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return one ? [{ '@id': one }] : []
    if (one === null || typeof one !== 'object' || !('@id' in one) || typeof one['@id'] !== 'string') return []
    const label = 'label' in one && typeof one.label === 'string' ? one.label : ''
    return [{ '@id': one['@id'], ...(label.trim() ? { label } : {}) }]
  })

/** Converts a file to the value stored in an answer: its IRI, with a label if it has one. */
export const toStoredUpload = ({ '@id': iri, label }: AnswerUpload): string | AnswerUpload =>
  label ? { '@id': iri, label } : iri
