import { createContext, useContext } from 'react'
import { type RiskMatrix, USUAL } from '../risk-matrix/bands.ts'

/** Risk matrix of the current document: words and bands. */
export const MatrixContext = createContext<RiskMatrix>(USUAL)

export const useMatrix = (): RiskMatrix => useContext(MatrixContext)
