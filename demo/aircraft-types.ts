/** The aircraft types of the strike reports, with the maker inferred from the designation. */

import type { SourceStrike } from './sources.ts'

type Category = 'airliner' | 'commuter' | 'business' | 'light' | 'military' | 'helicopter'

export function aircraftTypeRows(strikes: SourceStrike[]) {
  const reported = [...new Set(strikes.map((strike) => strike.aircraft))].sort()
  return reported.map((designation, index) => {
    const [, make = null, category = null] = makers.find(([start]) => start.test(designation)) ?? []
    return { id: index + 1, name: aircraftName(designation), make, category, designation }
  })
}

/** Capitalizes words and keeps codes: “FOKKER F28 MK 1000” becomes “Fokker F28 Mk 1000”. */
function aircraftName(designation: string): string {
  return designation
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[A-Z]{4,}|MK\b/g, (word) => word.charAt(0) + word.slice(1).toLowerCase())
}

/** The first match decides, so the military designations stand before the makers' own. */
const makers: [start: RegExp, make: string, category: Category][] = [
  [/^O?A-10A/, 'Fairchild Republic', 'military'],
  [/^A-7/, 'LTV', 'military'],
  [/^B-1B/, 'Rockwell', 'military'],
  [/^B-52/, 'Boeing', 'military'],
  [/^(HC|MC|EC|LOCKHEED C|C)-130/, 'Lockheed', 'military'],
  [/^(C-141|C-5[AB]?$|P-3)/, 'Lockheed', 'military'],
  [/^([KRE]?C-135|V?C-137|E-[346]|TC-18|T-43)/, 'Boeing', 'military'],
  [/^(C-17A|C-9$|KC-10|F-15)/, 'McDonnell Douglas', 'military'],
  [/^C-21A/, 'Learjet', 'military'],
  [/^F-16/, 'General Dynamics', 'military'],
  [/^T-1A/, 'Beechcraft', 'military'],
  [/^T-37/, 'Cessna', 'military'],
  [/^T-38/, 'Northrop', 'military'],
  [/^A-3/, 'Airbus', 'airliner'],
  [/^B-7/, 'Boeing', 'airliner'],
  [/^(DC-10|MD-)/, 'McDonnell Douglas', 'airliner'],
  [/^DC-/, 'Douglas', 'airliner'],
  [/^L-1011/, 'Lockheed', 'airliner'],
  [/^FOKKER/, 'Fokker', 'airliner'],
  [/^(BA-146|AVRO)/, 'British Aerospace', 'airliner'],
  [/^CL-RJ/, 'Canadair', 'commuter'],
  [/^ATR/, 'ATR', 'commuter'],
  [/^BA-(31|41|ATP)/, 'British Aerospace', 'commuter'],
  [/^BE-1900/, 'Beechcraft', 'commuter'],
  [/^CASA/, 'CASA', 'commuter'],
  [/^CV-/, 'Convair', 'commuter'],
  [/^DHC/, 'de Havilland Canada', 'commuter'],
  [/^DORNIER/, 'Dornier', 'commuter'],
  [/^EMB/, 'Embraer', 'commuter'],
  [/^SAAB/, 'Saab', 'commuter'],
  [/^SHORTS/, 'Shorts', 'commuter'],
  [/^(MERLIN|SA22)/, 'Swearingen', 'commuter'],
  [/^AEROS SN/, 'Aérospatiale', 'business'],
  [/^BA-125/, 'British Aerospace', 'business'],
  [/^BE-400/, 'Beechcraft', 'business'],
  [/^C-(5|6)|^CITATION/, 'Cessna', 'business'],
  [/^CHALLENGER/, 'Bombardier', 'business'],
  [/^CL-/, 'Canadair', 'business'],
  [/^DA-/, 'Dassault', 'business'],
  [/^(G-159|GUL)/, 'Gulfstream', 'business'],
  [/^HAWKER/, 'Hawker', 'business'],
  [/^IAI/, 'Israel Aircraft Industries', 'business'],
  [/^LEARJET/, 'Learjet', 'business'],
  [/^LOCKHEED 1329/, 'Lockheed', 'business'],
  [/^MU/, 'Mitsubishi', 'business'],
  [/^RKWL SABR/, 'Rockwell', 'business'],
  [/^BE-/, 'Beechcraft', 'light'],
  [/^BELLANCA/, 'Bellanca', 'light'],
  [/^C-/, 'Cessna', 'light'],
  [/^GRUM/, 'Grumman American', 'light'],
  [/^MOONEY/, 'Mooney', 'light'],
  [/^PA-/, 'Piper', 'light'],
  [/^RKWL/, 'Rockwell', 'light'],
  [/^STINSON/, 'Stinson', 'light'],
  [/^AEROS/, 'Aérospatiale', 'helicopter'],
  [/^BELL-/, 'Bell', 'helicopter'],
  [/^HUGHES/, 'Hughes', 'helicopter'],
  [/^ROBINSON/, 'Robinson', 'helicopter'],
  [/^SIKORSKY/, 'Sikorsky', 'helicopter'],
]
