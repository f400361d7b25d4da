import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useActor } from '#web/api/me.ts'
import { tabStorage } from '#web/offline/browser-storage.ts'
import { readingProofQueryOptions } from '../signoff/own-requests.web.ts'
import type { AnsweredQuestion } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import type { ReadingQuestion } from './reading-questions.ts'

/** Chosen options in order, by `keyOf` of the question. */
type Answers = Readonly<Record<string, readonly string[]>>

/** Identifies a question by its text and options. Two questions about one topic have the same text. */
const keyOf = ({ question, options }: ReadingQuestion) => JSON.stringify([question, options])

/**
 * Loads the questions that the user answers before signing a revision, with the answers given in this tab. `asked` is
 * undefined while the questions are loading.
 */
export function useReadingProof({ id, asked: asks }: DocumentRecord, canSign: boolean) {
  const { userId } = useActor()
  const isPossible = canSign && asks > 0
  const found = useQuery({ ...readingProofQueryOptions(id), enabled: isPossible })
  const storage = tabStorage.json<Answers>(`stanchion-questions:${userId} ${id}`)
  const [answers, setAnswers] = useState<Answers>(() => storage.read() ?? {})
  const questions = found.data?.questions ?? []
  const chosenFor = (question: ReadingQuestion) => answers[keyOf(question)] ?? []
  const isRight = ({ options, right }: ReadingQuestion, chosen: readonly string[]) => chosen.at(-1) === options[right]
  const answer = (question: ReadingQuestion, option: string) => {
    const next = { ...answers, [keyOf(question)]: [...chosenFor(question), option] }
    setAnswers(next)
    storage.write(next)
  }
  return {
    asked: isPossible ? found.data?.asked : false,
    error: isPossible ? found.error : null,
    /** Questions that have yet to be answered, in order, with the wrong options that were chosen. */
    open: questions.flatMap((one) => {
      const tried = chosenFor(one)
      return isRight(one, tried) ? [] : [{ ...one, tried }]
    }),
    answered: questions.flatMap((one): AnsweredQuestion[] => {
      const chosen = chosenFor(one)
      return isRight(one, chosen) ? [{ question: one.question, options: one.options, chosen }] : []
    }),
    answer,
  }
}

export type OwnReadingProof = ReturnType<typeof useReadingProof>
