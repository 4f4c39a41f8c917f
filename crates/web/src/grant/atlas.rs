//! The world as a grid of tiles, one for each country, roughly where the country is.

use std::collections::HashMap;

/// The rows of the grid from north to south. Each country has one cell.
pub(crate) const ROWS: [&str; 21] = [
    ".. .. .. .. .. .. GL .. .. .. .. .. .. SJ",
    ".. CA .. .. PM .. .. .. .. IS .. FO .. NO SE FI .. .. .. RU",
    ".. US .. .. BM .. .. .. .. .. IM .. .. DK AX EE",
    "MX .. .. BS TC .. .. .. .. IE GB .. NL DE .. LV",
    "GT BZ CU HT DO PR VI VG .. GG JE BE LU CZ PL LT BY",
    "SV HN KY JM .. AI MF BL .. .. FR CH LI AT SK UA MD",
    ".. NI .. AW CW BQ SX KN AG AD MC .. IT SI HU RO .. .. .. KZ KG .. .. MN",
    ".. CR .. .. .. MS GP DM .. PT ES VA SM HR RS BG .. GE .. UZ TJ .. .. CN .. KP .. JP",
    ".. PA .. .. GD VC LC MQ .. GI .. .. MT BA ME MK .. AM AZ TM .. .. .. .. .. KR",
    ".. .. CO VE TT BB .. .. .. .. .. .. .. .. AL GR TR .. .. .. AF PK NP BT MO HK TW",
    ".. EC PE BR GY SR GF .. .. .. .. .. .. .. .. CY LB SY IQ IR .. IN BD MM LA VN .. MP",
    ".. .. BO PY .. .. .. .. EH MA DZ TN LY EG .. IL PS JO KW BH .. .. .. TH KH .. PH GU UM",
    ".. .. CL AR UY .. .. CV MR ML NE TD SD ER .. .. .. SA QA AE MV LK .. .. .. .. PW FM MH",
    ".. .. .. .. FK .. .. SN GM BF BJ NG CF SS ET DJ .. YE OM .. .. .. .. MY SG BN .. NR KI",
    ".. .. .. .. .. GS .. GW GN GH TG CM CD UG KE SO .. .. .. .. .. .. .. .. ID TL PG SB TV",
    ".. .. .. .. .. .. .. SL LR CI GQ GA CG RW BI TZ .. .. .. .. .. .. .. CX .. .. VU WF TK",
    ".. .. .. .. .. .. .. SH .. .. ST AO ZM MW .. KM SC .. .. .. .. .. CC .. AU .. NC FJ WS",
    ".. .. .. .. .. .. .. .. .. .. .. NA BW ZW MZ YT .. .. IO .. .. .. .. .. .. .. NF TO AS",
    ".. .. .. .. .. .. .. .. .. .. .. .. LS SZ .. MG MU RE .. .. .. .. .. .. .. .. NZ NU CK",
    ".. .. .. .. .. .. .. .. .. .. .. .. ZA .. .. .. .. .. .. .. .. .. .. .. .. .. .. PN PF",
    ".. .. .. .. .. .. .. .. .. BV .. .. .. AQ .. .. .. TF .. HM",
];

/// The regions and their countries.
pub(crate) const REGIONS: [(&str, &str); 7] = [
    (
        "North America",
        "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ \
         MS MX NI PA PM PR SV SX TC TT US VC VG VI",
    ),
    ("South America", "AR BO BR CL CO EC FK GF GY PE PY SR UY VE"),
    (
        "Europe",
        "AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS \
         IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA",
    ),
    (
        "Africa",
        "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR \
         LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ \
         UG YT ZA ZM ZW",
    ),
    (
        "Asia",
        "AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK \
         MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE",
    ),
    (
        "Oceania",
        "AS AU CC CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF \
         WS",
    ),
    ("Antarctica", "AQ BV GS HM TF"),
];

/// The column and row of every country, from 1.
pub(super) fn cells() -> HashMap<&'static str, (usize, usize)> {
    let cells = |(row, line): (usize, &'static str)| {
        let codes = line.split(' ').enumerate().filter(|(_, code)| *code != "..");
        codes.map(move |(column, code)| (code, (column + 1, row + 1)))
    };
    ROWS.into_iter().enumerate().flat_map(cells).collect()
}

#[cfg(test)]
mod tests {
    use grantor_domain::license::countries;

    use super::*;

    #[test]
    fn every_country_has_one_cell_and_one_region() {
        let expected: Vec<_> = countries().collect();
        let sorted = |mut codes: Vec<&'static str>| {
            codes.sort_unstable();
            codes
        };
        let cells = ROWS.iter().flat_map(|it| it.split(' ')).filter(|it| *it != "..").collect();
        assert_eq!(sorted(cells), expected);
        assert_eq!(sorted(REGIONS.iter().flat_map(|it| it.1.split(' ')).collect()), expected);
    }

    #[test]
    fn the_style_sheet_places_every_cell() {
        let style = include_str!("../../assets/app.css");
        for (column, row) in cells().into_values() {
            assert!(
                style.contains(&format!(".x{column} {{ grid-column: {column}; }}")),
                "{column}"
            );
            assert!(style.contains(&format!(".y{row} {{ grid-row: {row}; }}")), "{row}");
        }
    }
}
