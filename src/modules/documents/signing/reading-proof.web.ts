import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useActor } from '#web/api/me.ts'
import { tabStorage } from '#web/offline/browser-storage.ts'
import { readingProofQueryOptions } from '../signoff/own-requests.web.ts'
import type { AnsweredQuestion } from '../types/document.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import type { ReadingQuestion } from './reading-questions.ts'

/** Chosen options in order, by question. */
type Answers = Readonly<Record<string, readonly string[]>>

/**
 * Loads the questions that the user answers before signing a revision, with the answers given in this tab. `asked` is
 * undefined until it is known whether the user is asked.
 */
export function useReadingProof({ id, asked: asks }: DocumentRecord, canSign: boolean) {
  const { userId } = useActor()
  const isPossible = canSign && asks > 0
  const found = useQuery({ ...readingProofQueryOptions(id), enabled: isPossible })
  const storage = tabStorage.json<Answers>(`stanchion-questions:${userId} ${id}`)
  const [answers, setAnswers] = useState<Answers>(() => storage.read() ?? {})
  const questions = found.data?.questions ?? []
  const chosenFor = ({ question, options }: ReadingQuestion) =>
    (answers[question] ?? []).filter((one) => options.includes(one))
  const answer = ({ question }: ReadingQuestion, option: string) => {
    const next = { ...answers, [question]: [...(answers[question] ?? []), option] }
    setAnswers(next)
    storage.write(next)
  }
  return {
    asked: isPossible ? found.data?.asked : false,
    error: isPossible ? found.error : null,
    /** Questions that have yet to be answered, in order. */
    open: questions.filter((one) => chosenFor(one).at(-1) !== one.options[one.right]),
    answered: questions.flatMap((one): AnsweredQuestion[] => {
      const chosen = chosenFor(one)
      return chosen.at(-1) === one.options[one.right] ? [{ question: one.question, options: one.options, chosen }] : []
    }),
    answer,
  }
}

export type OwnReadingProof = ReturnType<typeof useReadingProof>
